import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import type { PlatformKey } from '../domain/core/platform.ts'
import { bytesSource } from '../infra/media/byte-source.ts'
import { findFfmpeg } from '../infra/media/ffmpeg.ts'
import { mediaFacts } from '../infra/media/media-facts.ts'
import { findPost } from '../projections/models/posts.ts'
import { createPreview } from '../reactors/publishing/preview.ts'
import { hostOf } from './support/media-host.ts'
import { sample } from './support/media-samples.ts'
import { givenReachable } from './support/reachable.ts'
import { accessOf, givenProcess } from './support/world.ts'

const ffmpeg = findFfmpeg(undefined, process.env['PATH'] ?? '')
const options = { skip: ffmpeg === undefined && 'ffmpeg is not installed' }
/** Those that take no Matroska file. X is asked for the same conversion as Pinterest. */
const PLATFORMS = ['instagram', 'threads', 'x', 'tiktok', 'bluesky', 'pinterest'] as const

/** A recording as many programs make it. */
async function recording(t: Test): Promise<Buffer> {
  const path = join(t.testdir(), 'recording.mkv')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=360x640:rate=24:duration=4.2']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=4.2']
  const codecs = ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']
  await promisify(execFile)(ffmpeg ?? '', ['-v', 'error', ...source, ...sound, ...codecs, path])
  return readFile(path)
}

t.test('given a recording in Matroska, when it is posted, then it is published as an MP4', options, async (t) => {
  const { world, publicUrl } = await givenReachable(t, { convertsImages: true })
  const at = await hostOf(t, { recording: await recording(t) })
  const service = await givenProcess(world)
  const selections: Partial<Record<PlatformKey, string[]>> = {}
  for (const platform of PLATFORMS) selections[platform] = [await world.account(platform)]
  const id = await service.queue({ mediaUrl: at('recording'), mediaType: 'video', selections })
  await service.drain()
  const row = await findPost(world.db, id)
  t.equal(row?.status, 'published', JSON.stringify(row?.results))
  for (const platform of ['instagram', 'threads'] as const) {
    const [{ mediaUrl = '' } = {}] = world.sandbox.ledger.posts(platform)
    t.ok(mediaUrl.startsWith(`${publicUrl}/media/`), platform)
    const { body } = await world.http.request(mediaUrl, { maxBytes: 10_000_000 })
    t.match(await mediaFacts(bytesSource(Buffer.from(body))), {
      ...{ mimeType: 'video/mp4', width: 360, height: 640, videoCodec: 'h264', audioCodec: 'aac' },
    })
  }
  const made = await readdir(join(world.mediaDirectory, 'converted'))
  t.ok(made.length < PLATFORMS.length, 'what is the same is made once')
})

t.test('given videos that are converted, then a preview says what is done, or what is missing', async (t) => {
  const { world } = await givenReachable(t, { convertsImages: true })
  const at = await hostOf(t, { 'a.mkv': sample('clip.mkv'), 'a.mov': sample('clip-turned.mov') })
  const selections = { bluesky: [await world.account('bluesky')], threads: [await world.account('threads')] }
  const access = { ...accessOf(world), convertsVideos: true }
  const outOfReach = { ...access, publicMedia: { ...access.publicMedia, isReachedBy: () => false } }
  const previewed = (name: string, from = access) =>
    createPreview({ log: world.log, clock: world.clock, access: from })({
      ...{ workspaceId: world.workspaceId, mediaUrl: at(name), mediaType: 'video' as const, caption: 'Hills' },
      ...{ hashtags: [], captionOverrides: {}, selections },
    })
  const encoded = {
    changes: ['The video is converted to MP4 with H.264 and AAC before it is sent.'],
    ...{ problems: [], media: { mimeType: 'video/matroska' } },
  }
  t.match(await previewed('a.mkv'), [encoded, encoded])
  t.match(await previewed('a.mkv', outOfReach), [
    encoded,
    { changes: undefined, problems: [/^To have Fanfare convert it, set PUBLIC_URL: Threads fetches videos/, /as MP4/] },
  ])
  const missing = [/^To have Fanfare convert it, install ffmpeg or set FFMPEG_PATH\.$/, /mp4|MP4/]
  t.match(await previewed('a.mkv', { ...access, convertsVideos: false }), [
    { changes: undefined, problems: missing },
    { changes: undefined, problems: missing },
  ])
  const copied = ['The video is put into an MP4 file as it is before it is sent.']
  t.match(await previewed('a.mov'), [
    { changes: copied, problems: [] },
    { changes: undefined, problems: [] },
  ])
})
