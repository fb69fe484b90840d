import fc from 'fast-check'
import t from 'tap'
import {
  describeConversion,
  factsAfter,
  CONVERTED_MAX_PIXELS,
  conversionFor,
  type Conversion,
  RATIO_FITS,
} from '../infra/media/image-conversion.ts'
import type { ConversionJob } from '../infra/media/converter.ts'
import { createImageConverter } from '../infra/media/image-converter.ts'
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
  .filter(
    ({ width, height }) => width * height <= CONVERTED_MAX_PIXELS && Math.max(width / height, height / width) <= 20,
  )
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
    const conversion = conversionFor({ maxBytes: 8_000_000, ...shape }, facts, by)
    return conversion && [describeConversion(conversion, facts), factsAfter(conversion, facts)]
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
  const conversion = (facts: Partial<MediaFacts>) => conversionFor({ maxBytes: 20e6, ...shape }, image(facts), 'pad')
  t.equal(conversion({ mimeType: 'image/png', bytes: 100_000_001 }), undefined, 'too many bytes')
  t.equal(conversion({ width: 10_001, height: 10_000 }), undefined, 'too many pixels')
  t.equal(conversion({ mediaType: 'video', mimeType: 'video/mp4' }), undefined)
  t.same(conversion({ width: 3_840, height: 2_160 })?.size, { width: 1_920, height: 1_080, by: 'pad' })
  const gif = conversionFor(
    { types: ['image/jpeg', 'image/gif'], maxBytes: 1 },
    image({ mimeType: 'image/gif' }),
    'pad',
  )
  t.equal(gif, undefined, 'a GIF that is taken may be animated')
})

const never = new AbortController().signal
const PROGRAM = new URL('./support/obedient-converter.ts', import.meta.url)
const job = (from: string): ConversionJob<Conversion> => ({
  ...{ from, to: '', mimeType: 'image/png' },
  conversion: { kind: 'image', maxBytes: 1 },
})

t.test('given workspaces that convert images at once, then they take turns', async (t) => {
  const converter = createImageConverter({ clock: systemClock, program: PROGRAM })
  t.teardown(converter.close)
  const order: string[] = []
  const convert = (workspaceId: string, n: number) =>
    converter.convert(job('ok'), workspaceId, never).then(() => order.push(`${workspaceId}${n}`))
  await Promise.all([
    ...[1, 2, 3, 4].map((n) => convert('a', n)),
    ...[1, 2].map((n) => convert('b', n)),
    convert('c', 1),
  ])
  t.same(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

t.test('given a converter that ends, or is too slow, then the next image has a new one', async (t) => {
  const converter = createImageConverter({ clock: systemClock, program: PROGRAM })
  const inNoTime = createImageConverter({ clock: { now: () => 0, sleep: async () => undefined }, program: PROGRAM })
  t.teardown(() => [converter, inNoTime].forEach((one) => one.close()))
  await t.rejects(converter.convert(job('crash'), 'ws', never), { name: 'ConversionFailure', isOfMedia: false })
  await t.rejects(converter.convert(job('bad'), 'ws', never), {
    name: 'ConversionFailure',
    message: 'bad',
    isOfMedia: true,
  })
  await converter.convert(job('ok'), 'ws', never)
  for (let times = 0; times < 2; times += 1) {
    await t.rejects(inNoTime.convert(job('never'), 'ws', never), {
      message: 'it took longer than 60 s',
      isOfMedia: false,
    })
  }
})

t.test('given conversions that wait, when they are canceled or the service stops, then none is begun', async (t) => {
  const converter = createImageConverter({ clock: systemClock, program: PROGRAM })
  t.teardown(converter.close)
  const cancel = new AbortController()
  const begun = converter.convert(job('never'), 'ws', never)
  const canceled = converter.convert(job('ok'), 'ws', cancel.signal)
  const waiting = converter.convert(job('ok'), 'ws', never)
  await new Promise(setImmediate)
  cancel.abort()
  converter.close()
  await t.rejects(begun, { message: /^the converter stopped/ })
  for (const one of [canceled, waiting, converter.convert(job('ok'), 'ws', never)]) {
    await t.rejects(one, { message: 'it was canceled', isOfMedia: false })
  }
})
