import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { bytesSource } from '../infra/media/byte-source.ts'
import { conversionTo, describe, factsOfResult } from '../infra/media/conversion.ts'
import type { ConversionJob } from '../infra/media/converter.ts'
import { findFfmpeg } from '../infra/media/ffmpeg.ts'
import { mediaFacts } from '../infra/media/media-facts.ts'
import type { MediaFacts } from '../infra/media/media.ts'
import { CONTAINERS, type VideoConversion, type VideoShape } from '../infra/media/video-conversion.ts'
import { createVideoConverter } from '../infra/media/video-converter.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { asSent, brokenRules } from '../platforms/kit/checked-media.ts'
import { platforms } from '../platforms/registry.ts'
import { sample } from './support/media-samples.ts'

const video = (facts: Partial<MediaFacts> = {}): MediaFacts => ({
  ...{ mediaType: 'video', mimeType: 'video/mp4', bytes: 5_000_000, width: 720, height: 1_280, durationMs: 20_000 },
  ...{ videoCodec: 'h264', audioCodec: 'aac', fps: 30 },
  ...facts,
})
/** Within all rules about lengths and least sizes. */
const anyVideo = fc
  .record({
    mimeType: fc.constantFrom(...Object.keys(CONTAINERS)),
    bytes: fc.integer({ min: 100_000, max: 1_000_000_000 }),
    width: fc.integer({ min: 540, max: 4_096 }),
    durationMs: fc.integer({ min: 4_000, max: 90_000 }),
    videoCodec: fc.constantFrom('h264', 'hevc', 'vp9', 'apch'),
    audioCodec: fc.constantFrom('aac', 'sowt', undefined),
    fps: fc.integer({ min: 24, max: 240 }),
  })
  .map(({ audioCodec, ...facts }) => {
    const { audioCodec: _, ...rest } = video({ ...facts, height: Math.round((facts.width * 16) / 9) })
    return { ...rest, ...(audioCodec && { audioCodec }) }
  })

for (const platform of Object.values(platforms)) {
  if (!platform.takes.video?.shape) continue
  t.test(
    `given any video for ${platform.key}, then as sent it breaks no rule, and is not converted again`,
    async () => {
      const post = { text: 'Hills', mediaUrl: 'https://a.test/a', mediaType: 'video' } as const
      fc.assert(
        fc.property(anyVideo, (facts) => {
          const sent = asSent(platform, post, [facts])
          return (
            brokenRules(platform, post, sent.facts).length === 0 &&
            asSent(platform, post, sent.facts).changes.length === 0
          )
        }),
      )
    },
  )
}

const SHAPE: VideoShape = {
  ...{ types: ['video/mp4', 'video/quicktime'], videoCodecs: ['h264', 'hevc'], audioCodecs: ['aac'] },
  ...{ maxBytes: 300_000_000, maxMs: 900_000, width: 1_920, fps: 60 },
}

t.test('given videos, then what is done is said in a sentence', async (t) => {
  const changed = (facts: MediaFacts, shape = SHAPE) => {
    const conversion = conversionTo({ video: shape }, facts)
    return conversion && [describe(conversion, facts), factsOfResult(conversion, facts)]
  }
  t.equal(changed(video()), undefined)
  t.equal(changed(video({ fps: 60.02 })), undefined, 'an average of 60')
  t.match(changed(video({ mimeType: 'video/webm', videoCodec: 'vp9', audioCodec: 'opus' })), [
    'The video is converted to MP4 with H.264 and AAC before it is sent.',
    { mimeType: 'video/mp4', videoCodec: 'h264', audioCodec: 'aac', width: 720 },
  ])
  t.match(changed(video({ width: 3_840, height: 2_160, fps: 119.88, bytes: 400_000_000 })), [
    'The video is converted to MP4 with H.264 and AAC, resized from 3840x2160 to 1920x1080 pixels, reduced from 119.88 to 60 frames per second, and compressed to at most 300 MB before it is sent.',
    { width: 1_920, height: 1_080, fps: 60, bytes: 300_000_000 },
  ])
  t.match(changed(video({ mimeType: 'video/quicktime' }), { ...SHAPE, types: ['video/mp4'] }), [
    'The video is put into an MP4 file as it is before it is sent.',
    { mimeType: 'video/mp4', videoCodec: 'h264' },
  ])
  t.equal(changed(video({ mimeType: 'video/webm', durationMs: 900_001 })), undefined, 'too long: nothing is cut off')
  t.equal(changed(video({ mimeType: 'video/x-flv' })), undefined, 'a container that is not tried')
  t.equal(changed(video({ bytes: 1_000_000_001 })), undefined, 'too large')
  t.equal(changed(video(), { ...SHAPE, maxBytes: 500_000 }), undefined, 'nothing would be seen of it')
  const limited = conversionTo({ video: { ...SHAPE, maxBytes: 4_000_000 } }, video())
  t.match(limited, { bitsPerSecond: 1_312_000 })
})

t.test('given no program, then none is found', async (t) => {
  t.equal(findFfmpeg('/nowhere/ffmpeg', ''), undefined)
  t.equal(findFfmpeg(process.execPath, ''), process.execPath)
})

const ffmpeg = findFfmpeg(undefined, process.env['PATH'] ?? '')
const never = new AbortController().signal

t.test('given ffmpeg', { skip: ffmpeg === undefined && 'ffmpeg is not installed' }, async (t) => {
  const jobOf = (t: Test, from: string, mimeType: string, conversion: Partial<VideoConversion> = {}) => ({
    ...{ from, to: join(t.testdir(), 'out.mp4'), mimeType },
    conversion: { kind: 'video', maxBytes: 1_000_000, isCopied: false, ...conversion } as const,
  })
  const converted = async (job: ConversionJob<VideoConversion>) => {
    const converter = createVideoConverter({ ffmpeg: ffmpeg ?? '', clock: systemClock })
    await converter.convert(job, 'ws', never)
    return mediaFacts(bytesSource(await readFile(job.to)))
  }
  const path = (name: string) => new URL(`fixtures/media/${name}`, import.meta.url).pathname

  await t.test('when videos are converted, then they are H.264 of the size that is wanted', async (t) => {
    const mp4 = { mimeType: 'video/mp4', videoCodec: 'h264', width: 64, height: 48 }
    t.match(await converted(jobOf(t, path('clip.webm'), 'video/webm')), mp4)
    t.match(await converted(jobOf(t, path('clip.mkv'), 'video/matroska')), mp4)
    const small = { longer: 40, fps: 5 }
    t.match(await converted(jobOf(t, path('clip-turned.mov'), 'video/quicktime', small)), {
      ...mp4,
      ...{ width: 30, height: 40, fps: 5 },
    })
    const copied = await converted(jobOf(t, path('clip-turned.mov'), 'video/quicktime', { isCopied: true }))
    t.match(copied, { mimeType: 'video/mp4', width: 48, height: 64 }, 'turned as before')
  })

  await t.test('when a file cannot be converted, then it says why, and whether to try again', async (t) => {
    const playlist = join(t.testdir(), 'list')
    await writeFile(playlist, '#EXTM3U\n#EXTINF:1,\n/etc/passwd\n')
    const damaged = join(t.testdir(), 'damaged')
    await writeFile(damaged, sample('clip.webm').subarray(0, 300))
    const failed = { name: 'ConversionFailure', isOfMedia: true }
    for (const from of [playlist, damaged]) await t.rejects(converted(jobOf(t, from, 'video/webm')), failed)
    await t.rejects(converted(jobOf(t, path('clip.webm'), 'video/webm', { maxBytes: 1_000 })), {
      ...failed,
      message: 'it cannot be made smaller than 1000 bytes',
    })
    const missing = createVideoConverter({ ffmpeg: '/nowhere/ffmpeg', clock: systemClock })
    await t.rejects(missing.convert(jobOf(t, path('clip.webm'), 'video/webm'), 'ws', never), {
      message: /^ffmpeg could not be started/,
    })
  })

  await t.test('when it is canceled, or takes too long, then ffmpeg is ended', async (t) => {
    const job = jobOf(t, path('clip.webm'), 'video/webm')
    const converter = createVideoConverter({ ffmpeg: ffmpeg ?? '', clock: systemClock })
    const canceled = { message: 'it was canceled', isOfMedia: false }
    await t.rejects(converter.convert(job, 'ws', AbortSignal.abort()), canceled)
    const cancel = new AbortController()
    const running = converter.convert(job, 'ws', never)
    const impatient = converter.convert(job, 'other', cancel.signal)
    cancel.abort()
    await t.rejects(impatient, canceled, 'it does not wait for those before')
    const waiting = converter.convert(job, 'ws', never)
    await new Promise(setImmediate)
    converter.close()
    await t.rejects(running, canceled)
    await t.rejects(waiting, canceled)
    const inNoTime = createVideoConverter({
      ffmpeg: ffmpeg ?? '',
      clock: { now: () => 0, sleep: async () => undefined },
    })
    await t.rejects(inNoTime.convert(job, 'ws', never), { message: 'it took longer than 12 minutes', isOfMedia: true })
  })
})
