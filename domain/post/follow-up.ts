import * as z from 'zod'
import type { Metadata } from '../core/event.ts'
import { text } from '../core/text.ts'
import type { PostEvent } from './post-events.ts'

/** What can be asked of a platform once an account has a post: to delete it, or to change it to what the post now says. */
export type FollowUp = 'unpublish' | 'edit'

type Step = 'requested' | 'started' | 'deferred' | 'done' | 'failed' | 'unsupported'

/** The events of each. */
export const FOLLOW_UP_EVENTS = {
  unpublish: {
    requested: 'UnpublishRequested',
    started: 'UnpublishStarted',
    deferred: 'UnpublishDeferred',
    done: 'AccountUnpublished',
    failed: 'UnpublishFailed',
    unsupported: 'UnpublishUnsupported',
  },
  edit: {
    requested: 'EditRequested',
    started: 'EditStarted',
    deferred: 'EditDeferred',
    done: 'AccountEdited',
    failed: 'EditFailed',
    unsupported: 'EditUnsupported',
  },
} as const satisfies Record<FollowUp, Record<Step, PostEvent['type']>>

type Types = typeof FOLLOW_UP_EVENTS
export type FollowUpEvent = Extract<PostEvent, { type: Types['unpublish'][Step] | Types['edit'][Step] }>

const STEPS = new Map<string, { readonly what: FollowUp; readonly step: Step }>(
  Object.entries(FOLLOW_UP_EVENTS).flatMap(([what, types]) =>
    Object.entries(types).map(([step, type]) => [type, { what: what as FollowUp, step: step as Step }] as const),
  ),
)

export function isFollowUpEvent(event: PostEvent): event is FollowUpEvent {
  return STEPS.has(event.type)
}

const result = <Done extends string>(done: Done) =>
  z.object({
    status: z.enum(['in_progress', done, 'failed', 'unsupported']),
    /** ISO 8601 UTC: when it got this status. */
    at: z.iso.datetime(),
    error: text(2000).optional(),
    /** ISO 8601 UTC. */
    nextAttemptAt: z.iso.datetime().optional(),
  })
/** What became of deleting a published post from one account. */
export const unpublishResult = result('unpublished')
/** What became of editing it there. */
export const editResult = result('edited')

/** Of one account: what has been asked for. */
export interface FollowUpResults {
  readonly unpublish?: z.infer<typeof unpublishResult> | undefined
  readonly edit?: z.infer<typeof editResult> | undefined
}

/** Progress of a follow-up. `attempts` counts since it was requested, `attempt` over the post's whole life. */
export type FollowUpState =
  | { readonly step: 'queued'; readonly attempt: number; readonly attempts: number; readonly notBefore?: string }
  | { readonly step: 'started'; readonly attempt: number; readonly attempts: number }
  | { readonly step: 'done' | 'failed' | 'unsupported'; readonly attempt: number }

/** Of one account of a post. */
export type FollowUps = { readonly [What in FollowUp]?: FollowUpState | undefined }

/** Whether the platform is still to be asked. */
export function isOwed(state: FollowUpState | undefined): boolean {
  return state?.step === 'queued' || state?.step === 'started'
}

/** What an event changes. An edit that is still owed when the post is to be deleted is given up. */
export function evolveFollowUps(before: FollowUps, event: FollowUpEvent): FollowUps {
  const { what } = stepOf(event)
  const { edit } = before
  const isGivenUp = event.type === 'UnpublishRequested' && edit && isOwed(edit)
  return {
    ...(isGivenUp && { edit: { step: 'failed', attempt: edit.attempt } }),
    [what]: evolve(before[what], event),
  }
}

function evolve(state: FollowUpState | undefined, event: FollowUpEvent): FollowUpState {
  const attempt = state?.attempt ?? 0
  const attempts = state && 'attempts' in state ? state.attempts : 0
  const { step } = stepOf(event)
  if (step === 'requested') return { step: 'queued', attempt, attempts: 0 }
  if (step === 'started') {
    // Taking over from a crashed worker is not a platform failure, so it uses up no attempt.
    const isTakenOver = state?.step === 'started'
    const started = 'attempt' in event.data ? event.data.attempt : attempt
    return { step, attempt: started, attempts: isTakenOver ? attempts : attempts + 1 }
  }
  if (step !== 'deferred') return { step, attempt }
  return { step: 'queued', attempt, attempts, ...('retryAt' in event.data && { notBefore: event.data.retryAt }) }
}

/** What an event changes in the result of the account. */
export function followUpResults(
  { edit }: FollowUpResults,
  event: FollowUpEvent,
  { at }: Pick<Metadata, 'at'>,
): FollowUpResults {
  const { what, step } = stepOf(event)
  if (step === 'started') return {}
  const error = 'error' in event.data ? { error: event.data.error } : {}
  const next = 'retryAt' in event.data ? { nextAttemptAt: event.data.retryAt } : {}
  const shown = { at, ...error, ...next }
  const status = step === 'requested' || step === 'deferred' ? 'in_progress' : step
  if (what === 'edit') return { edit: { ...shown, status: status === 'done' ? 'edited' : status } }
  const isGivenUp = step === 'requested' && edit?.status === 'in_progress'
  return {
    ...(isGivenUp && { edit: { status: 'failed', at, error: 'The post was to be deleted.' } }),
    unpublish: { ...shown, status: status === 'done' ? 'unpublished' : status },
  }
}

function stepOf({ type }: FollowUpEvent): { readonly what: FollowUp; readonly step: Step } {
  const found = STEPS.get(type)
  if (!found) throw new Error(`${type} is not an event of a follow-up`)
  return found
}
