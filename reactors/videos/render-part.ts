import { isLive, type PartState, type VideoState } from '../../domain/video/video.ts'
import type { PartKey, VideoEvent } from '../../domain/video/video-events.ts'
import type { AttemptPolicy } from '../../commands/attempt-policy.ts'
import { Superseded } from '../../commands/superseded.ts'
import {
  deferRender,
  partFailed,
  partRendered,
  renderSubmitted,
  startRender,
  type RenderAttempt,
} from '../../commands/render.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { answerWithin, type GenerationAnswer } from './generation-answer.ts'
import type { PartWork, Rendered } from './part-work.ts'
import { DONE, park, type WorkResult } from '../runtime/reactor.ts'

/** For starting a job, or synthesizing speech. */
export const BEGIN_TIMEOUT_MS = 120_000
/** For checking a job, and downloading its result. */
export const LOOK_TIMEOUT_MS = 600_000
/** Delay before checking a job again that cannot be checked right now. */
const LOOK_AFTER_MS = 10_000

export interface StepDeps {
  readonly clock: Clock
  readonly policy: AttemptPolicy
  /** A provider's job fails if it has not ended this long (ms) after its start. */
  readonly jobTimeoutMs: number
  readonly signal: AbortSignal
}

export type Decide = (step: string, decision: (state: VideoState) => readonly VideoEvent[]) => Promise<VideoState>

/** Advances one part by a step. @throws Superseded when another worker has it, or it is no longer wanted */
export async function renderPart(
  deps: StepDeps,
  decide: Decide,
  work: PartWork,
  [key, part]: readonly [PartKey, PartState],
): Promise<WorkResult> {
  const { clock, jobTimeoutMs } = deps
  const attempt = { part: key, attempt: part.attempt }
  switch (part.step) {
    case 'waiting': {
      const waits = Date.parse(part.notBefore ?? '')
      if (waits > clock.now()) return park(waits)
      const state = await decide('start', (state) => startRender(state, key))
      const started = isLive(state) ? state.parts.get(key) : undefined
      if (started?.step !== 'started') throw new Superseded()
      return begin(deps, decide, { part: key, attempt: started.attempt }, work)
    }
    case 'started':
      if (work.isRepeatable) return begin(deps, decide, attempt, work)
      await decide('unknown', (state) => partFailed(state, attempt, { code: 'unknown', error: UNKNOWN }))
      return DONE
    case 'submitted':
      if (clock.now() < Date.parse(part.at) + jobTimeoutMs) return look(deps, decide, attempt, work, part.handle)
      await decide('timeout', (state) =>
        partFailed(state, attempt, { code: 'timeout', error: tookTooLong(jobTimeoutMs) }),
      )
      return DONE
    case 'done':
    case 'failed':
      return DONE
  }
}

const UNKNOWN =
  'The provider may have started it, but its response was lost. It is not started again, because it could be charged twice.'

function tookTooLong(ms: number): string {
  return `The provider did not finish its job within ${Math.round(ms / 60_000)} minutes.`
}

async function begin(deps: StepDeps, decide: Decide, attempt: RenderAttempt, work: PartWork): Promise<WorkResult> {
  const answer = await answerWithin(deps, BEGIN_TIMEOUT_MS, (signal) => work.begin(signal))
  if (!answer.ok) return notBegun(deps, decide, attempt, work, answer)
  const { value } = answer
  if ('rendered' in value) return done(decide, attempt, value.rendered)
  await decide('submitted', (state) => renderSubmitted(state, attempt, value.handle))
  return DONE
}

async function notBegun(
  { policy, clock }: StepDeps,
  decide: Decide,
  attempt: RenderAttempt,
  { isRepeatable }: PartWork,
  { kind, ...failure }: Extract<GenerationAnswer<unknown>, { ok: false }>,
): Promise<WorkResult> {
  const { error } = failure
  await decide('failed', (state) => {
    if (kind === 'permanent') return partFailed(state, attempt, { code: 'permanent', error })
    if (kind === 'retryable' || isRepeatable) return deferRender(state, attempt, failure, policy, clock.now())
    return partFailed(state, attempt, { code: 'unknown', error: `${UNKNOWN} ${error}` })
  })
  return DONE
}

async function look(
  deps: StepDeps,
  decide: Decide,
  attempt: RenderAttempt,
  work: PartWork,
  handle: string,
): Promise<WorkResult> {
  const answer = await answerWithin(deps, LOOK_TIMEOUT_MS, (signal) => work.look(handle, signal))
  if (answer.ok) {
    const { value } = answer
    return 'rendered' in value ? done(decide, attempt, value.rendered) : park(deps.clock.now() + value.lookAgainMs)
  }
  const { kind, error, retryAfterMs = 0 } = answer
  // The job goes on, whether or not it can be checked right now.
  if (kind !== 'permanent') return park(deps.clock.now() + Math.max(LOOK_AFTER_MS, retryAfterMs))
  await decide('failed', (state) => partFailed(state, attempt, { code: 'permanent', error }))
  return DONE
}

async function done(decide: Decide, attempt: RenderAttempt, rendered: Rendered): Promise<WorkResult> {
  await decide('rendered', (state) => partRendered(state, attempt, rendered))
  return DONE
}
