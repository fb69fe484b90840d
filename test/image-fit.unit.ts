import fc from 'fast-check'
import t from 'tap'
import { describeFit, factsAfter, FIT_MAX_PIXELS, fitOf, RATIO_FITS } from '../infra/media/image-fit.ts'
import { createImageFitter, type FitJob } from '../infra/media/image-fitter.ts'
import type { MediaFacts } from '../infra/media/media.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { asSent, brokenRules } from '../platforms/kit/checked-media.ts'
import { platforms } from '../platforms/registry.ts'

const TYPES = ['jpeg', 'png', 'webp', 'avif', 'heic', 'tiff'].map((name) => `image/${name}`)
const image = (facts: Partial<MediaFacts> = {}): MediaFacts => ({
  ...{ mediaType: 'image', mimeType: 'image/jpeg', bytes: 500_000, width: 1_200, height: 900 },
  ...facts,
})
/** Large enough for Google Business, whose least size no conversion changes. */
const anyImage = fc
  .record({
    mimeType: fc.constantFrom(...TYPES),
    bytes: fc.integer({ min: 20_000, max: 90_000_000 }),
    width: fc.integer({ min: 250, max: 20_000 }),
    height: fc.integer({ min: 250, max: 20_000 }),
  })
  .filter(({ width, height }) => width * height <= FIT_MAX_PIXELS && Math.max(width / height, height / width) <= 20)
  .map(image)

for (const platform of Object.values(platforms).filter(({ takes }) => takes.image)) {
  t.test(
    `given any image for ${platform.key}, then as sent it breaks no rule, and is not converted again`,
    async () => {
      fc.assert(
        fc.property(anyImage, fc.constantFrom(...RATIO_FITS), (facts, imageFit) => {
          const options = { imageFit }
          const post = { text: 'Hills', mediaUrl: 'https://a.test/a', mediaType: 'image', options } as const
          const broken = brokenRules(platform, post, [facts])
          const sent = asSent(platform, post, [facts])
          const ofSize = sent.facts.map((one) => ({ ...one, least: Math.min(one?.width ?? 0, one?.height ?? 0) }))
          // A very long image that is scaled down may get shorter than Google's least side.
          const isTooShort = platform.key === 'googlebusiness' && ofSize.some(({ least }) => least < 250)
          return (
            (isTooShort || brokenRules(platform, post, sent.facts).length === 0) &&
            asSent(platform, post, sent.facts).changes.length === 0 &&
            (broken.length === 0 || sent.changes.length > 0)
          )
        }),
      )
    },
  )
}

t.test('given images for Instagram, then the change is said in a sentence', async (t) => {
  const { shape } = platforms.instagram.takes.image ?? {}
  if (!shape) return t.fail('Instagram has no shape')
  const changed = (facts: MediaFacts, by: 'pad' | 'crop' = 'pad') => {
    const fit = fitOf({ maxBytes: 8_000_000, ...shape }, facts, by)
    return fit && [describeFit(fit, facts), factsAfter(fit, facts)]
  }
  t.equal(changed(image()), undefined)
  t.match(changed(image({ mimeType: 'image/heic' })), [
    'The image is converted to JPEG before it is sent.',
    { width: 1_200 },
  ])
  t.match(changed(image({ bytes: 9_000_000 })), ['The image is compressed to at most 8 MB before it is sent.', {}])
  t.match(changed(image({ mimeType: 'image/png', width: 900, height: 1_600, bytes: 9e6 })), [
    'The image is converted to JPEG, padded with white margins, resized from 900x1600 to 1280x1600 pixels, and compressed to at most 8 MB before it is sent.',
    { mimeType: 'image/jpeg', width: 1_280, height: 1_600, bytes: 8_000_000 },
  ])
  t.match(changed(image({ width: 900, height: 1_600 }), 'crop'), [
    'The image is cropped around its center and resized from 900x1600 to 900x1125 pixels before it is sent.',
    {},
  ])
})

t.test('given images that cannot be converted, then they are left to the rules', async (t) => {
  const { shape } = platforms.tiktok.takes.image ?? {}
  if (!shape) return t.fail('TikTok has no shape')
  const fit = (facts: Partial<MediaFacts>) => fitOf({ maxBytes: 20e6, ...shape }, image(facts), 'pad')
  t.equal(fit({ mimeType: 'image/png', bytes: 100_000_001 }), undefined, 'too many bytes')
  t.equal(fit({ width: 10_001, height: 10_000 }), undefined, 'too many pixels')
  t.equal(fit({ mediaType: 'video', mimeType: 'video/mp4' }), undefined)
  t.same(fit({ width: 3_840, height: 2_160 })?.size, { width: 1_920, height: 1_080, by: 'pad' })
  const gif = fitOf({ types: ['image/jpeg', 'image/gif'], maxBytes: 1 }, image({ mimeType: 'image/gif' }), 'pad')
  t.equal(gif, undefined, 'a GIF that is taken may be animated')
})

const PROGRAM = new URL('./support/slow-fit-worker.ts', import.meta.url)
const job = (from: string): FitJob => ({ from, to: '', mimeType: 'image/png', fit: { maxBytes: 1 } })

t.test('given workspaces that convert images at once, then they take turns', async (t) => {
  const fitter = createImageFitter({ clock: systemClock, program: PROGRAM })
  t.teardown(fitter.close)
  const order: string[] = []
  const fit = (workspaceId: string, n: number) =>
    fitter.fit(job('ok'), workspaceId).then(() => order.push(`${workspaceId}${n}`))
  await Promise.all([...[1, 2, 3, 4].map((n) => fit('a', n)), ...[1, 2].map((n) => fit('b', n)), fit('c', 1)])
  t.same(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

t.test('given a converter that ends, or is too slow, then the next image has a new one', async (t) => {
  const fitter = createImageFitter({ clock: systemClock, program: PROGRAM })
  const inNoTime = createImageFitter({ clock: { now: () => 0, sleep: async () => undefined }, program: PROGRAM })
  t.teardown(() => [fitter, inNoTime].forEach((one) => one.close()))
  await t.rejects(fitter.fit(job('crash')), { name: 'FitFailure', isOfImage: false })
  await t.rejects(fitter.fit(job('bad')), { name: 'FitFailure', message: 'bad', isOfImage: true })
  await fitter.fit(job('ok'))
  for (let times = 0; times < 2; times += 1) {
    await t.rejects(inNoTime.fit(job('never')), { message: 'it took longer than 60 s', isOfImage: false })
  }
})
