import { account, type AccountEvent } from '../../domain/account/account.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { hasAnalytics } from '../../domain/analytics/metrics.ts'
import { post } from '../../domain/post/post.ts'
import type { PromiseKind } from './promise.ts'

/**
 * The next metrics reading of an account. Each reading postpones the next until the first of the account's posts is due
 * (`post_metrics`). A new post, or the switch for background reading, makes the row due now, because it may come sooner.
 * Concurrency group: the workspace.
 */
export const metrics: PromiseKind = {
  names: (recorded) => {
    const changed = eventOf(account, recorded)?.type
    if (changed && CHANGING.includes(changed)) return [parseStreamName(recorded.stream).id]
    const event = eventOf(post, recorded)
    return event?.type === 'AccountPublished' && hasAnalytics(event.data.platform) ? [event.data.accountId] : []
  },
  apply: (promise, recorded, subject) => {
    const { at } = recorded.metadata
    if (eventOf(post, recorded)) return promise && { ...promise, dueAt: at }
    const event = eventOf(account, recorded)
    if (event?.type === 'BackgroundReadingSet') return promise && { ...promise, dueAt: at }
    if (event?.type !== 'AccountConnected' || !hasAnalytics(event.data.platform)) return undefined
    return { subject, part: '', lane: event.data.workspaceId, dueAt: at }
  },
}

const CHANGING: readonly AccountEvent['type'][] = ['AccountConnected', 'AccountDisconnected', 'BackgroundReadingSet']
