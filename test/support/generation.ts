import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { GenerationError } from '../../infra/ai/generation-error.ts'
import type { SpeechModel } from '../../infra/ai/speech.ts'
import type { VideoModel } from '../../infra/ai/video.ts'
import type { MediaStore } from '../../infra/media/store.ts'
import type { MediaSource } from '../../infra/media/media.ts'

/** What comes of asking a provider: of the last two nobody hears, whether it has begun the work or not. */
export type Mood = 'well' | 'refuse' | 'busy' | 'taken' | 'lost'

/** A provider of clips and voices that makes a job of every request it takes, and counts them. @param clipUrl of each clip */
export function countingProvider(proof: VideoModel['proof'], clipUrl = 'https://clips.test/clip.mp4') {
  const jobs: { readonly key: string; looks: number }[] = []
  let moods: Mood[] = []
  let failing = false

  const take = (key: string): number => {
    const mood = moods.shift() ?? 'well'
    if (mood === 'refuse') throw new GenerationError('permanent', 'The provider refuses this.')
    if (mood === 'busy') throw new GenerationError('retryable', 'The provider is busy.')
    if (mood === 'lost') throw new GenerationError('ambiguous', 'The provider did not answer.')
    const known = proof === 'idempotent-key' ? jobs.findIndex((job) => job.key === key) : -1
    const job = known === -1 ? jobs.push({ key, looks: 0 }) - 1 : known
    if (mood === 'taken') throw new GenerationError('ambiguous', 'The provider did not answer.')
    return job
  }
  const of = { provider: 'test', model: 'test-1' }
  const videoModel: VideoModel = {
    proof,
    begin: async ({ key }) => `job ${take(key)}`,
    look: async (handle) => {
      const job = jobs[Number(/^job (\d+)$/.exec(handle)?.[1])]
      if (!job) throw new GenerationError('permanent', 'The provider knows no such job.')
      job.looks += 1
      if (failing) throw new GenerationError('permanent', 'The job has failed.')
      if (job.looks < 3) return { state: 'rendering', lookAgainMs: 1_000 }
      return { state: 'done', clip: { url: clipUrl }, ...of }
    },
  }
  const speechModel: SpeechModel = {
    proof,
    voices: ['en', 'de'],
    speak: async ({ key }) => {
      take(key)
      return { bytes: Buffer.from('RIFF'), mimeType: 'audio/wav', ...of }
    },
  }
  return {
    ...{ videoModel, speechModel },
    /** How often each piece of work was begun, and so paid. */
    begun: () => {
      const counts = new Map<string, number>()
      for (const { key } of jobs) counts.set(key, (counts.get(key) ?? 0) + 1)
      return counts
    },
    /** What comes of the next requests. */
    script: (next: readonly Mood[]) => void (moods = [...next]),
    /** Whether jobs fail from now on. */
    fail: (value: boolean) => void (failing = value),
  }
}

/** A store in memory, and downloads that are always a video. */
export function givenMedia() {
  const files = new Map<string, Buffer>()
  const store: MediaStore = {
    put: async (name, content) => void files.set(name, await buffer(content.open())),
    find: async (name) => {
      const bytes = files.get(name)
      const open = async () => Readable.from([bytes])
      return bytes && { bytes: bytes.length, mimeType: 'video/mp4', etag: '"1"', open }
    },
    delete: async (name) => void files.delete(name),
  }
  const clip = Buffer.from('a clip')
  const media: MediaSource = {
    spool: async () => ({
      facts: { mediaType: 'video', mimeType: 'video/mp4', bytes: clip.length, durationMs: 5_000 },
      open: () => Readable.from([clip]),
      bytes: async () => clip,
      dispose: async () => undefined,
    }),
  }
  return { files, store, media }
}
