import * as z from 'zod'
import type { Metadata } from '../core/event.ts'
import { text } from '../core/text.ts'
import type { PostEvent } from './post-events.ts'

export const UNPUBLISH_STATUSES = ['in_progress', 'unpublished', 'failed', 'unsupported'] as const

/** What became of deleting a published post from one account. */
export const unpublishResult = z.object({
  status: z.enum(UNPUBLISH_STATUSES),
  /** ISO 8601 UTC: when it got this status. */
  at: z.iso.datetime(),
  error: text(2000).optional(),
  /** ISO 8601 UTC. */
  nextAttemptAt: z.iso.datetime().optional(),
})
export type UnpublishResult = Readonly<z.infer<typeof unpublishResult>>

/** Progress of the deletion. `attempts` counts since it was requested, `attempt` over the post's whole life. */
export type UnpublishState =
  | { readonly step: 'queued'; readonly attempt: number; readonly attempts: number; readonly notBefore?: string }
  | { readonly step: 'started'; readonly attempt: number; readonly attempts: number }
  | { readonly step: 'unpublished'; readonly attempt: number }
  | { readonly step: 'failed'; readonly attempt: number }
  | { readonly step: 'unsupported'; readonly attempt: number }

const TYPES = [
  'UnpublishRequested',
  'UnpublishStarted',
  'UnpublishDeferred',
  'AccountUnpublished',
  'UnpublishFailed',
  'UnpublishUnsupported',
] as const
export type UnpublishEvent = Extract<PostEvent, { type: (typeof TYPES)[number] }>

export function isUnpublishEvent(event: PostEvent): event is UnpublishEvent {
  return (TYPES as readonly string[]).includes(event.type)
}

/** Whether the platform is still to be asked. */
export function isOwed(state: UnpublishState | undefined): boolean {
  return state?.step === 'queued' || state?.step === 'started'
}

export function evolveUnpublish(state: UnpublishState | undefined, event: UnpublishEvent): UnpublishState {
  const attempt = state?.attempt ?? 0
  const attempts = state && 'attempts' in state ? state.attempts : 0
  switch (event.type) {
    case 'UnpublishRequested':
      return { step: 'queued', attempt, attempts: 0 }
    case 'UnpublishStarted':
      // Taking over from a crashed worker is not a platform failure, so it uses up no attempt.
      return {
        step: 'started',
        attempt: event.data.attempt,
        attempts: state?.step === 'started' ? attempts : attempts + 1,
      }
    case 'UnpublishDeferred':
      return { step: 'queued', attempt, attempts, notBefore: event.data.retryAt }
    case 'AccountUnpublished':
      return { step: 'unpublished', attempt }
    case 'UnpublishFailed':
      return { step: 'failed', attempt }
    case 'UnpublishUnsupported':
      return { step: 'unsupported', attempt }
  }
}

/** Undefined when the event changes nothing that is shown. */
export function unpublishResultOf(event: UnpublishEvent, { at }: Pick<Metadata, 'at'>): UnpublishResult | undefined {
  switch (event.type) {
    case 'UnpublishRequested':
      return { status: 'in_progress', at }
    case 'UnpublishStarted':
      return undefined
    case 'UnpublishDeferred':
      return { status: 'in_progress', at, error: event.data.error, nextAttemptAt: event.data.retryAt }
    case 'AccountUnpublished':
      return { status: 'unpublished', at }
    case 'UnpublishFailed':
      return { status: 'failed', at, error: event.data.error }
    case 'UnpublishUnsupported':
      return { status: 'unsupported', at, error: event.data.error }
  }
}
