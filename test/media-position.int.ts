import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { type MediaType, type PlatformKey } from '../domain/core/platform.ts'
import { bytesSource } from '../infra/media/byte-source.ts'
import { positionIn } from '../infra/media/position/position.ts'
import { patchBytes } from '../infra/media/position/region.ts'
import { packageRoot } from '../infra/runtime/package-root.ts'
import { eachCheckedMedia } from '../platforms/kit/checked-media.ts'
import { mediaSource } from '../platforms/kit/media-spool.ts'
import type { PublishJob } from '../platforms/kit/platform.ts'
import { findPost } from '../projections/models/posts.ts'
import { createPreview } from '../reactors/publishing/preview.ts'
import { hostOf } from './support/media-host.ts'
import { box, sample } from './support/media-samples.ts'
import { givenReachable } from './support/reachable.ts'
import { accessOf, givenProcess, type World } from './support/world.ts'

const TYPE = { image: 'image/jpeg', video: 'video/mp4' } as const
const PLACE = Buffer.from('+51.5074-000.1278/')

const photo = () =>
  sharp({
    create: { width: 900, height: 900, channels: 3, background: '#8a4', noise: { type: 'gaussian', sigma: 30 } },
  })
    .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } })
    .jpeg()
    .toBuffer()

/** The same clip with a place in its index, which is moved to the end. */
function withPlace(bytes: Buffer): Buffer {
  const at = bytes.indexOf('moov') - 4
  const end = at + bytes.readUInt32BE(at)
  const place = box('udta', box('\u00a9xyz', Buffer.from([0, PLACE.length, 0x15, 0xc7]), PLACE))
  const index = bytes.subarray(at + 8, end)
  return Buffer.concat([bytes.subarray(0, at), box('free', index), bytes.subarray(end), box('moov', index, place)])
}

async function without(bytes: Buffer, mediaType: keyof typeof TYPE): Promise<Buffer> {
  const result = Buffer.from(bytes)
  patchBytes(result, await positionIn(bytesSource(bytes), TYPE[mediaType]))
  return result
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const reel = () => readFile(join(packageRoot(), 'packages/sandbox/media/sample.mp4'))

async function published(world: World, platform: PlatformKey, mediaUrl: string, mediaType: MediaType) {
  const service = await givenProcess(world)
  const selections = { [platform]: [await world.account(platform)] }
  const id = await service.queue({ mediaUrl, mediaType, selections })
  await service.drain()
  const row = await findPost(world.db, id)
  t.equal(row?.status, 'published', `${platform} ${mediaType}: ${JSON.stringify(row?.results)}`)
  return world.sandbox.ledger.posts(platform).at(-1)
}

t.test('given media with a position, when they are published, then no platform gets the position', async (t) => {
  const { world, publicUrl } = await givenReachable(t)
  const files = { photo: await photo(), reel: withPlace(await reel()), clip: withPlace(sample('clip.mp4')) }
  const at = await hostOf(t, files)
  const sent = async (name: keyof typeof files, mediaType: keyof typeof TYPE, platform: PlatformKey) => {
    const { mediaUrl = '' } = (await published(world, platform, at(name), mediaType)) ?? {}
    t.ok(mediaUrl.startsWith(`${publicUrl}/media/`), `${platform} fetches the ${name} from this service`)
    const { body } = await world.http.request(mediaUrl, { maxBytes: 1_000_000 })
    t.equal(sha256(body), sha256(await without(files[name], mediaType)), `${platform} ${name}`)
  }
  for (const platform of ['instagram', 'facebook', 'threads', 'pinterest', 'googlebusiness', 'tiktok'] as const) {
    await sent('photo', 'image', platform)
  }
  for (const platform of ['instagram', 'facebook', 'threads'] as const) await sent('reel', 'video', platform)
  await sent('clip', 'video', 'facebook')

  await published(world, 'bluesky', at('photo'), 'image')
  await t.test('nor does one that is sent the file', async (t) => {
    const media = mediaSource({ http: world.http, clock: world.clock, directory: world.mediaDirectory })
    const want = { mediaType: 'image', maxBytes: 1e6 } as const
    const spooled = await media.spool(at('photo'), want, new AbortController().signal)
    t.equal(sha256(await spooled.bytes()), sha256(await without(files.photo, 'image')))
    await spooled.dispose()
    const kept = mediaSource({
      ...{ http: world.http, clock: world.clock, directory: world.mediaDirectory },
      keepsPosition: true,
    })
    const original = await kept.spool(at('photo'), want, new AbortController().signal)
    t.equal(sha256(await original.bytes()), sha256(files.photo), 'unless the operator wants to keep it')
    await original.dispose()
    const job = { text: 'Hills', mediaUrl: at('photo'), mediaType: 'image', account: {} } as unknown as PublishJob
    const io = { media, signal: new AbortController().signal }
    const [asIs] = await eachCheckedMedia(world.platforms.instagram, job, io, async (one) => sha256(await one.bytes()))
    t.equal(asIs, sha256(files.photo), 'and unless a platform fetches it that cannot reach this service')
  })
})

t.test('given media with a position, then a preview says that it is removed, or what is missing', async (t) => {
  const { world } = await givenReachable(t, { convertsImages: true })
  const small = await sharp(await photo())
    .keepExif()
    .toBuffer()
  const at = await hostOf(t, { photo: small, plain: await sharp(small).toBuffer() })
  const access = accessOf(world)
  const outOfReach = { ...access, publicMedia: { ...access.publicMedia, isReachedBy: () => false } }
  const kept = { ...access, removesPosition: false }
  const selections = { instagram: [await world.account('instagram')], bluesky: [await world.account('bluesky')] }
  const previewed = (names: readonly string[], from = access) =>
    createPreview({ log: world.log, clock: world.clock, access: from })({
      ...{
        workspaceId: world.workspaceId,
        mediaUrl: at(names[0] ?? ''),
        mediaType: 'image' as const,
        caption: 'Hills',
      },
      ...(names.length > 1 && { media: names.map((name) => ({ url: at(name), type: 'image' as const })) }),
      ...{ hashtags: [], captionOverrides: {}, selections },
    })
  const removed = 'The position where it was taken is removed before it is sent.'
  const both = { changes: [removed], warnings: [], problems: [], media: { hasPosition: true } }
  t.match(await previewed(['photo']), [both, both])
  t.match(await previewed(['plain', 'photo']), [
    { changes: [`Item 2: ${removed}`] },
    { changes: [`Item 2: ${removed}`] },
  ])
  const warning =
    'It says where it was taken. To have Fanfare remove that, set PUBLIC_URL: Instagram fetches images itself.'
  t.match(await previewed(['photo'], outOfReach), [{ changes: undefined, warnings: [warning], problems: [] }, both])
  const nothing = { changes: undefined, warnings: [] }
  t.match(await previewed(['photo'], kept), [nothing, nothing])
  t.match(await previewed(['plain']), [nothing, nothing])
})
