import * as z from 'zod'
import type { PostEvent } from './post-events.ts'
import { text } from '../core/text.ts'

/** Why an account of a post has no result yet. */
export const WAITING_FOR = ['retry', 'processing', 'outcome', 'first_comment'] as const

export const waitingAccount = z.object({
  accountId: z.string(),
  reason: z.enum(WAITING_FOR),
  /** ISO 8601 UTC. */
  since: z.iso.datetime(),
  /** The previous error, if any. */
  error: text(2000).optional(),
  /** ISO 8601 UTC. */
  nextAttemptAt: z.iso.datetime().optional(),
  /** ISO 8601 UTC: when the search for the outcome ends. */
  until: z.iso.datetime().optional(),
})
export type WaitingAccount = Readonly<z.infer<typeof waitingAccount>>
/** By platform. Accounts that have settled, or that a worker is processing, are not listed. */
export type Waiting = Readonly<Record<string, readonly WaitingAccount[]>>

/** What a post waits for after an event. Returns the same object when the event does not affect it. */
export function evolveWaiting(waiting: Waiting, event: PostEvent, at: string): Waiting {
  switch (event.type) {
    case 'PublishDeferred':
    case 'FirstCommentDeferred': {
      const { error, retryAt: nextAttemptAt } = event.data
      const reason = event.type === 'PublishDeferred' ? 'retry' : 'first_comment'
      return withAccount(waiting, event.data, { reason, since: at, error, nextAttemptAt })
    }
    case 'PublishProgressed':
    case 'FirstCommentProgressed':
      return withAccount(waiting, event.data, { reason: 'processing', since: at })
    case 'PublishAnswerLost': {
      const { error, until } = event.data
      return withAccount(waiting, event.data, { reason: 'outcome', since: at, error, until })
    }
    case 'PublishStarted':
    case 'PublishPrepared':
    case 'AccountPublished':
    case 'AccountPublishFailed':
    case 'FirstCommentStarted':
    case 'FirstCommentPosted':
    case 'FirstCommentFailed':
      return withAccount(waiting, event.data)
    default:
      return waiting
  }
}

function withAccount(
  waiting: Waiting,
  { platform, accountId }: { readonly platform: string; readonly accountId: string },
  what?: Omit<WaitingAccount, 'accountId'>,
): Waiting {
  const before = Object.hasOwn(waiting, platform) ? (waiting[platform] ?? []) : []
  const others = before.filter((each) => each.accountId !== accountId)
  if (!what && others.length === before.length) return waiting
  const { [platform]: _, ...rest } = waiting
  const items = what ? [...others, { accountId, ...what }] : others
  return items.length === 0 ? rest : { ...rest, [platform]: items }
}
