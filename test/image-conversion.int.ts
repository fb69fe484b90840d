import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { PLATFORM_KEYS, type PlatformKey } from '../domain/core/platform.ts'
import { bytesSource } from '../infra/media/byte-source.ts'
import { convertedMedia } from '../infra/media/converted-media.ts'
import { ConversionFailure } from '../infra/media/converter.ts'
import { mediaFacts } from '../infra/media/media-facts.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { findPost } from '../projections/models/posts.ts'
import { createSmallImages } from '../reactors/media/small-image.ts'
import { createPreview } from '../reactors/publishing/preview.ts'
import { hostOf } from './support/media-host.ts'
import { sample } from './support/media-samples.ts'
import { hills, noise } from './support/odd-images.ts'
import { givenReachable } from './support/reachable.ts'
import { accessOf, givenProcess, givenWorld, type World } from './support/world.ts'

const HOUR = 3_600_000
const IMAGE_PLATFORMS = PLATFORM_KEYS.filter((key) => key !== 'youtube')

async function published(world: World, platform: PlatformKey, mediaUrl: string, options: object = {}) {
  const service = await givenProcess(world)
  const id = await service.queue({ mediaUrl, selections: { [platform]: [await world.account(platform)] }, ...options })
  await service.drain()
  return findPost(world.db, id)
}

t.test('given a HEIC from a phone, when it is posted on every platform, then it is published as a JPEG', async (t) => {
  const { world, publicUrl } = await givenReachable(t, { convertsImages: true })
  const at = await hostOf(t, { 'IMG_0001.HEIC': sample('hills.heic') })
  const service = await givenProcess(world)
  const selections: Partial<Record<PlatformKey, string[]>> = {}
  for (const platform of IMAGE_PLATFORMS) selections[platform] = [await world.account(platform)]
  const id = await service.queue({ mediaUrl: at('IMG_0001.HEIC'), selections })
  await service.drain()
  const row = await findPost(world.db, id)
  t.equal(row?.status, 'published', JSON.stringify(row?.results))
  for (const platform of IMAGE_PLATFORMS) {
    const [{ mediaUrl = '' } = {}] = world.sandbox.ledger.posts(platform)
    if (!world.platforms[platform].takes.image?.isFetched) continue
    t.ok(mediaUrl.startsWith(`${publicUrl}/media/`), platform)
    const { body } = await world.http.request(mediaUrl)
    t.match(await mediaFacts(bytesSource(Buffer.from(body))), { mimeType: 'image/jpeg', width: 1_200, height: 900 })
  }
  const made = await readdir(join(world.mediaDirectory, 'converted'))
  t.equal(made.length, 1, 'made once for all')
})

t.test(
  'given an image that a browser may not show, when a small copy is asked for, then it is as it is sent',
  async (t) => {
    const { world } = await givenReachable(t, { convertsImages: true })
    const files = {
      'IMG_0001.HEIC': sample('hills.heic'),
      'wide.png': await hills(1_200, 300).png().toBuffer(),
      'page.jpg': Buffer.from('<!doctype html><title>Sign in</title>'),
    }
    const at = await hostOf(t, files)
    const smallImage = createSmallImages({ access: accessOf(world) })
    const small = async (name: keyof typeof files, as: object = {}) => {
      const { bytes } = await smallImage({ workspaceId: 'ws_1', url: at(name), ...as })
      return { ...(await mediaFacts(bytesSource(Buffer.from(bytes)))) }
    }
    const type = { mimeType: 'image/jpeg' }
    t.match(await small('IMG_0001.HEIC'), { ...type, width: 640, height: 480 })
    t.match(await small('wide.png'), { ...type, width: 640, height: 160 })
    const { max = 0 } = world.platforms.instagram.takes.image?.shape?.ratio ?? {}
    const padded = await small('wide.png', { platform: 'instagram' })
    t.match(padded, { ...type, width: 640, height: Math.floor(640 / max) }, 'with margins')
    const cropped = await small('wide.png', { platform: 'instagram', options: { imageFit: 'crop' } })
    t.match(cropped, { ...type, width: Math.floor(300 * max), height: 300 }, 'without its edges')
    await t.rejects(small('page.jpg'), { code: 'failed_precondition' })
    const many = Array.from({ length: 40 }, () => small('wide.png'))
    const refused = (await Promise.allSettled(many)).filter(({ status }) => status === 'rejected')
    t.ok(refused.length > 0 && refused.length < 40, `${refused.length} of 40 are beyond the share of a workspace`)
  },
)

t.test(
  'given a photograph of 9 MB, when it is posted on Bluesky twice, then it is compressed once, and kept for a while',
  async (t) => {
    const world = await givenWorld(t, { convertsImages: true })
    const at = await hostOf(t, { a: await noise(3_000, 2_250).jpeg({ quality: 97 }).toBuffer() })
    for (let times = 0; times < 2; times += 1)
      t.match(await published(world, 'bluesky', at('a')), { status: 'published', results: { bluesky: [{ ok: true }] } })
    const kept = () => readdir(join(world.mediaDirectory, 'converted'))
    await world.converted?.sweep(HOUR)
    t.equal((await kept()).length, 1)
    await world.clock.advanceTo(world.clock.now() + HOUR + 1)
    await world.converted?.sweep(HOUR)
    t.same(await kept(), [])
    t.same(
      (await readdir(world.mediaDirectory)).filter((name) => name.endsWith('.media')),
      [],
    )
  },
)

t.test('given images that are converted, then a preview says what is done, or what is missing', async (t) => {
  const at = await hostOf(t, {
    tall: await hills(900, 1_600).png().toBuffer(),
    // More than Facebook takes for certain, but within its documented limit.
    heavy: await noise(2_400, 1_800).jpeg({ quality: 97 }).toBuffer(),
  })
  const { world } = await givenReachable(t, { convertsImages: true })
  const selections = { instagram: [await world.account('instagram')], facebook: [await world.account('facebook')] }
  const request = (name: string) => ({
    ...{ workspaceId: world.workspaceId, mediaUrl: at(name), mediaType: 'image' as const, caption: 'Hills' },
    ...{ hashtags: [], captionOverrides: {}, selections },
  })
  const previewed = (name: string, access = accessOf(world)) =>
    createPreview({ log: world.log, clock: world.clock, access })(request(name))
  const access = accessOf(world)
  const outOfReach = { ...access, publicMedia: { ...access.publicMedia, isReachedBy: () => false } }

  t.match(await previewed('tall'), [
    {
      changes: [
        'The image is converted to JPEG, padded with white margins, and resized from 900x1600 to 1280x1600 pixels before it is sent.',
      ],
      ...{ media: { mimeType: 'image/png' }, problems: [] },
    },
    { changes: undefined, problems: [] },
  ])
  t.match(await previewed('tall', outOfReach), [
    { changes: undefined, problems: [/^To have Fanfare convert it, set PUBLIC_URL: /, /as JPEG/, /4:5/] },
    { changes: undefined, problems: [] },
  ])
  t.match(await previewed('tall', accessOf({ ...world, converted: undefined })), [{ problems: [/as JPEG/, /4:5/] }, {}])
  const compressed = ['The image is compressed to at most 4 MB before it is sent.']
  t.match(await previewed('heavy'), [{ changes: undefined }, { changes: compressed, problems: [] }])
  t.match(await previewed('heavy', outOfReach), [{ problems: [] }, { changes: undefined, problems: [] }])
})

t.test('given a converter that fails half way, then what it has written is deleted', async (t) => {
  const directory = t.testdir({ 'a.jpg': 'x' })
  const failing = {
    convert: async ({ to }: { readonly to: string }) => {
      await writeFile(to, 'half of it')
      throw new ConversionFailure('no', true)
    },
    close: () => undefined,
  }
  const results = join(directory, 'results')
  const converted = convertedMedia({ directory: results, images: failing, clock: systemClock })
  const conversion = { kind: 'image', maxBytes: 1_000 } as const
  const job = { from: join(directory, 'a.jpg'), to: join(directory, 'b.jpg'), mimeType: 'image/jpeg', conversion }
  await t.rejects(converted.convert(job, 'ws_1', new AbortController().signal), { message: 'no' })
  t.same(await readdir(results), [])
})
