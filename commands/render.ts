import { isLive, isSettled, type LiveVideo, type PartState, type VideoState } from '../domain/video/video.ts'
import type { PartKey, VideoEvent } from '../domain/video/video-events.ts'
import { nextAttemptAt, type AttemptPolicy } from './attempt-policy.ts'
import { shortened } from './shortened.ts'
import { Superseded } from './superseded.ts'

/*
 * The write-ahead guard of a video's parts: each is requested from a provider only once, because every request costs money. A
 * decision names its attempt, and is refused when the video has moved on or was deleted.
 */

export interface RenderAttempt {
  readonly part: PartKey
  readonly attempt: number
}

type DataOf<T extends VideoEvent['type']> = Extract<VideoEvent, { type: T }>['data']
type Running = Extract<PartState, { step: 'started' | 'submitted' }>

/** The part to render next; undefined when none is left. */
export function nextPart(state: VideoState): readonly [PartKey, PartState] | undefined {
  if (!isLive(state) || state.status !== 'processing') return undefined
  return [...state.parts].find(([, part]) => !isSettled(part))
}

/** Claims the next attempt to render a part. */
export function startRender(state: VideoState, key: PartKey): readonly VideoEvent[] {
  const part = processing(state).parts.get(key)
  if (part?.step !== 'waiting') throw new Superseded()
  return [{ type: 'RenderStarted', data: { part: key, attempt: part.attempt + 1 } }]
}

export function renderSubmitted(state: VideoState, attempt: RenderAttempt, handle: string): readonly VideoEvent[] {
  mustRun(state, attempt)
  return [{ type: 'RenderSubmitted', data: { ...attempt, handle } }]
}

/** Backs off after a transient failure, or gives up when the policy's attempts are used up. */
export function deferRender(
  state: VideoState,
  attempt: RenderAttempt,
  failure: { readonly error: string; readonly retryAfterMs?: number | undefined },
  policy: AttemptPolicy,
  now: number,
): readonly VideoEvent[] {
  const { attempts } = mustRun(state, attempt)
  const retryAt = nextAttemptAt(policy, attempts + 1, now, failure.retryAfterMs)
  const { error } = shortened(failure)
  if (retryAt === undefined) return partFailed(state, attempt, { error, code: 'gave_up' })
  return [{ type: 'RenderDeferred', data: { ...attempt, error, retryAt } }]
}

export function partRendered(
  state: VideoState,
  attempt: RenderAttempt,
  rendered: Omit<DataOf<'PartRendered'>, keyof RenderAttempt>,
): readonly VideoEvent[] {
  mustRun(state, attempt)
  return finished(processing(state), { type: 'PartRendered', data: { ...attempt, ...rendered } })
}

export function partFailed(
  state: VideoState,
  attempt: RenderAttempt,
  failure: Pick<DataOf<'PartFailed'>, 'code' | 'error'>,
): readonly VideoEvent[] {
  mustRun(state, attempt)
  return finished(processing(state), { type: 'PartFailed', data: { ...attempt, ...shortened(failure) } })
}

/**
 * A video is ready once all its parts have settled and at least one scene has a clip. It fails as soon as no scene can have
 * one (api-spec §2, Video).
 */
function finished(before: LiveVideo, event: Extract<VideoEvent, { type: `Part${string}` }>): readonly VideoEvent[] {
  const { part, attempt } = event.data
  const settled: PartState =
    event.type === 'PartFailed' ? { step: 'failed', attempt, error: event.data.error } : { step: 'done', attempt }
  const parts = new Map(before.parts).set(part, settled)
  const scenes = [...parts].filter(([key]) => key !== 'voiceover')
  if (scenes.every(([, { step }]) => step === 'failed')) {
    const { workspaceId, credits: refund } = before
    return [event, { type: 'VideoFailed', data: { ...shortened({ error: reasons(scenes) }), workspaceId, refund } }]
  }
  return [...parts.values()].every(isSettled) ? [event, { type: 'VideoReady', data: {} }] : [event]
}

function reasons(scenes: readonly (readonly [PartKey, PartState])[]): string {
  const errors = scenes.map(([key, part]) => [Number(key) + 1, 'error' in part ? part.error : ''] as const)
  const [first] = errors
  if (errors.length === 1 && first) return `The scene could not be created. ${first[1]}`
  return ['No scene could be created.', ...errors.map(([number, error]) => `Scene ${number}: ${error}`)].join(' ')
}

function processing(state: VideoState): LiveVideo {
  if (!isLive(state) || state.status !== 'processing') throw new Superseded()
  return state
}

function mustRun(state: VideoState, { part: key, attempt }: RenderAttempt): Running {
  const part = processing(state).parts.get(key)
  if ((part?.step !== 'started' && part?.step !== 'submitted') || part.attempt !== attempt) throw new Superseded()
  return part
}
