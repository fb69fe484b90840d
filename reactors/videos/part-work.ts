import type { SpeechModel } from '../../infra/ai/speech.ts'
import { GenerationError } from '../../infra/ai/generation-error.ts'
import type { VideoModel } from '../../infra/ai/video.ts'
import type { MediaRoom } from '../../commands/media-room.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import type { LiveVideo } from '../../domain/video/video.ts'
import type { PartKey, VideoEvent } from '../../domain/video/video-events.ts'
import { spokenText } from '../../domain/video/video-plan.ts'
import type { MediaStore } from '../../infra/media/store.ts'
import { mediaFor, type MediaSource } from '../../infra/media/media.ts'
import { keepBytes, keepClip } from './keep-media.ts'
import { fileOf } from './video-files.ts'

/** How one part of a video is generated. */
export interface PartWork {
  /** Whether it may be started again when the outcome of the first start is unknown. */
  readonly isRepeatable: boolean
  /** Starts it; returns the handle of a job, or the complete result. @throws GenerationError, PlatformError */
  begin(signal: AbortSignal): Promise<{ readonly handle: string } | { readonly rendered: Rendered }>
  /** Checks a job. @throws GenerationError, PlatformError */
  look(handle: string, signal: AbortSignal): Promise<{ readonly lookAgainMs: number } | { readonly rendered: Rendered }>
}

export type Rendered = Omit<Extract<VideoEvent, { type: 'PartRendered' }>['data'], 'part' | 'attempt'>

export interface PartDeps {
  /** Absent: parts that need one fail. */
  readonly videoModel: VideoModel | undefined
  readonly speechModel: SpeechModel | undefined
  readonly media: MediaSource
  readonly store: MediaStore
  readonly room: MediaRoom
  /** Makes file names unguessable. */
  readonly secret: Buffer
}

/** No platform accepts larger clips. */
const MAX_CLIP_BYTES = 1024 ** 3
const LOOK_AGAIN_MS = 2_000

export function partWork(given: PartDeps, id: string, video: LiveVideo, part: PartKey): PartWork {
  const store = roomyStore(given, id, video.workspaceId)
  const deps = { ...given, store, media: mediaFor(given.media, video.workspaceId) }
  if (part === 'voiceover') return voiceover(deps, id, video)
  const scene = video.scenes[part]
  if (!scene) throw new Error(`video ${id} has no scene ${part}`)
  if (scene.mediaSource === 'upload') return upload(deps, scene.mediaUrl)
  return clip(deps, id, part, { prompt: scene.aiPrompt, aspectRatio: video.aspectRatio })
}

function clip(
  { videoModel, media, store, secret }: PartDeps,
  id: string,
  part: number,
  wanted: Pick<LiveVideo, 'aspectRatio'> & { readonly prompt: string },
): PartWork {
  if (!videoModel) return nobody('No video provider is configured: set VIDEO_PROVIDER.')
  const request = { ...wanted, key: derivedId('clip', id, part) }
  return {
    isRepeatable: videoModel.proof === 'idempotent-key',
    begin: async (signal) => ({ handle: await videoModel.begin(request, signal) }),
    look: async (handle, signal) => {
      const look = await videoModel.look(handle, request, signal)
      if (look.state === 'rendering') return { lookAgainMs: look.lookAgainMs ?? LOOK_AGAIN_MS }
      const { provider, model } = look
      const kept = await keepClip({ media, store }, look.clip, fileOf(secret, id, part, 'mp4'), MAX_CLIP_BYTES, signal)
      return { rendered: { ...kept, provider, model } }
    },
  }
}

function voiceover({ speechModel, store, secret }: PartDeps, id: string, video: LiveVideo): PartWork {
  if (!speechModel) return nobody('No voice provider is configured: set SPEECH_PROVIDER.')
  const request = { key: derivedId('voiceover', id), text: spokenText(video), voiceId: video.voiceover?.voiceId }
  return {
    isRepeatable: speechModel.proof === 'idempotent-key',
    begin: async (signal) => {
      const { bytes, mimeType, provider, model } = await speechModel.speak(request, signal)
      const file = fileOf(secret, id, 'voiceover', EXTENSIONS[mimeType])
      await keepBytes(store, bytes, file, signal)
      return { rendered: { file, mimeType, bytes: bytes.length, provider, model } }
    },
    look: noJob,
  }
}

/** A file that does not fit into the workspace's media fails for good: it would not fit later either. */
function roomyStore({ store, room }: PartDeps, id: string, workspaceId: string): MediaStore {
  return {
    ...store,
    put: async (name, content, signal) => {
      try {
        await room.hold(workspaceId, id, { name, bytes: content.bytes })
      } catch (error) {
        throw error instanceof Refusal ? new GenerationError('permanent', error.message) : error
      }
      await store.put(name, content, signal)
    },
  }
}

const EXTENSIONS = { 'audio/wav': 'wav', 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a' } as const

/** Inspects the upload only: it stays where it is. */
function upload({ media }: PartDeps, url: string): PartWork {
  return {
    isRepeatable: true,
    begin: async (signal) => {
      const spooled = await media.spool(url, { mediaType: 'video', maxBytes: MAX_CLIP_BYTES }, signal)
      await spooled.dispose()
      const { mimeType, bytes, durationMs } = spooled.facts
      return { rendered: { mimeType, bytes, ...(durationMs !== undefined && { durationMs }) } }
    },
    look: noJob,
  }
}

async function noJob(): Promise<never> {
  throw new Error('there is no job to check')
}

function nobody(error: string): PartWork {
  const refuse = async (): Promise<never> => {
    throw new GenerationError('permanent', error)
  }
  return { isRepeatable: true, begin: refuse, look: refuse }
}
