import type { StreamKind } from '../core/event.ts'
import { erasedVideo, videoEvents, type PartKey, type VideoEvent, type VideoSettings } from './video-events.ts'

type DataOf<T extends VideoEvent['type']> = Extract<VideoEvent, { type: T }>['data']

/** The progress of one clip or the voiceover. `attempt` counts starts, `attempts` failures. */
export type PartState =
  | {
      readonly step: 'waiting'
      readonly attempt: number
      readonly attempts: number
      readonly notBefore?: string
      readonly error?: string
    }
  /** The provider was called, or is about to be. */
  | { readonly step: 'started'; readonly attempt: number; readonly attempts: number }
  | {
      readonly step: 'submitted'
      readonly attempt: number
      readonly attempts: number
      readonly handle: string
      readonly at: string
    }
  | { readonly step: 'done'; readonly attempt: number; readonly file?: string | undefined }
  | { readonly step: 'failed'; readonly attempt: number; readonly error: string }

export type Parts = ReadonlyMap<PartKey, PartState>

export interface LiveVideo extends VideoSettings {
  readonly status: 'draft' | 'processing' | 'ready' | 'failed'
  readonly credits: number
  /** Scenes in order, then the voiceover: the order in which they are made. */
  readonly parts: Parts
  /** When its files were deleted to make room. */
  readonly mediaExpiredAt?: string
}

export interface DeletedVideo {
  readonly status: 'deleted'
  readonly workspaceId: string
  /** The status before deletion; `absent`: its order was canceled before it was recorded. */
  readonly was: LiveVideo['status'] | 'absent'
  readonly deletedAt: string
  /** Scenes and voiceover; file names are derived from these. */
  readonly parts: readonly PartKey[]
}

export type VideoState = { readonly status: 'absent' } | LiveVideo | DeletedVideo

export function isLive(state: VideoState): state is LiveVideo {
  return state.status !== 'absent' && state.status !== 'deleted'
}

export function isSettled(part: PartState): boolean {
  return part.step === 'done' || part.step === 'failed'
}

/** A video, from settings to outcome (api-spec §3, Video status; decisions, "Videos and credits"). */
export const video: StreamKind<VideoState, VideoEvent> = {
  category: 'video',
  events: videoEvents,
  personal: { key: 'workspace', erased: erasedVideo },
  initial: { status: 'absent' },
  evolve: (state, event, { at }): VideoState => {
    switch (event.type) {
      case 'VideoDrafted':
        return { ...event.data, status: 'draft', credits: 0, parts: new Map() }
      case 'VideoRequested':
        return { ...event.data, status: 'processing', parts: waitingParts(event.data) }
      case 'VideoDeleted':
        return isLive(state) ? deleted(state, at) : state
      case 'VideoFailed':
        return isLive(state)
          ? { ...state, status: 'failed' }
          : state.status === 'absent'
            ? canceled(event.data, at)
            : state
      default:
        return isLive(state) ? evolveLive(state, event, at) : state
    }
  },
}

function deleted({ workspaceId, status: was, parts }: LiveVideo, deletedAt: string): DeletedVideo {
  return { status: 'deleted', workspaceId, was, deletedAt, parts: [...parts.keys()] }
}

function canceled({ workspaceId }: DataOf<'VideoFailed'>, deletedAt: string): DeletedVideo {
  return { status: 'deleted', workspaceId, was: 'absent', deletedAt, parts: [] }
}

const WAITING: PartState = { step: 'waiting', attempt: 0, attempts: 0 }

function waitingParts({ scenes, voiceover }: VideoSettings): Parts {
  const keys: readonly PartKey[] = [...scenes.keys(), ...(voiceover ? (['voiceover'] as const) : [])]
  return new Map(keys.map((key) => [key, WAITING]))
}

type LiveEvent = Exclude<VideoEvent, { type: 'VideoDrafted' | 'VideoRequested' | 'VideoFailed' | 'VideoDeleted' }>

function evolveLive(state: LiveVideo, event: LiveEvent, at: string): LiveVideo {
  switch (event.type) {
    case 'VideoReady':
      return { ...state, status: 'ready' }
    case 'VideoMediaExpired':
      return { ...state, mediaExpiredAt: at }
    case 'VideoFilesDeleted':
      return state
    default: {
      const before = state.parts.get(event.data.part)
      const parts = before && new Map(state.parts).set(event.data.part, evolvePart(before, event, at))
      return parts ? { ...state, parts } : state
    }
  }
}

type PartEvent = Extract<VideoEvent, { data: DataOf<'RenderStarted'> }>

function evolvePart(before: PartState, event: PartEvent, at: string): PartState {
  const { attempt } = event.data
  const attempts = 'attempts' in before ? before.attempts : 0
  switch (event.type) {
    case 'RenderStarted':
      return { step: 'started', attempt, attempts }
    case 'RenderSubmitted':
      return { step: 'submitted', attempt, attempts, handle: event.data.handle, at }
    case 'RenderDeferred': {
      const { retryAt: notBefore, error } = event.data
      return { step: 'waiting', attempt, attempts: attempts + 1, notBefore, error }
    }
    case 'PartRendered':
      return { step: 'done', attempt, file: event.data.file }
    case 'PartFailed':
      return { step: 'failed', attempt, error: event.data.error }
  }
}
