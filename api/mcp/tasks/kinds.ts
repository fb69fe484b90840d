import { Refusal } from '../../../domain/core/errors.ts'
import {
  listedApproval,
  listedComment,
  listedDraft,
  listedMedia,
  listedPost,
  listedReply,
  listedScheduled,
} from './present.ts'
import type { TaskWork } from './task.ts'

export type Page<Item = never> = { readonly [field: string]: readonly Item[] | undefined } & {
  readonly nextCursor: string | null
}

interface Kind {
  /** The endpoint that lists them, and the field of its answer. */
  readonly operationId: string
  readonly field: string
  item(row: never): object
}

/** What `find` finds, a page at a time. */
export const FOUND = {
  posts: { operationId: 'listPosts', field: 'posts', item: listedPost },
  scheduled: { operationId: 'listScheduledPosts', field: 'scheduledPosts', item: listedScheduled },
  drafts: { operationId: 'listDrafts', field: 'drafts', item: listedDraft },
  approvals: { operationId: 'listApprovals', field: 'approvals', item: listedApproval },
  comments: { operationId: 'listComments', field: 'comments', item: listedComment },
  replies: { operationId: 'listPendingReplies', field: 'replies', item: listedReply },
  media: { operationId: 'listMedia', field: 'media', item: listedMedia },
} satisfies Readonly<Record<string, Kind>>

export const KINDS = [...(Object.keys(FOUND) as (keyof typeof FOUND)[]), 'accounts'] as const

const COMMENTS = new Map<string, object>([
  ['open', { replied: false, dismissed: false }],
  ['answered', { replied: true }],
  ['dismissed', { dismissed: true }],
  ['all', {}],
])

/** The filters of comments with this status. @throws Refusal invalid_request */
export function openOf(status = 'open'): object {
  const filters = COMMENTS.get(status)
  if (filters) return filters
  throw new Refusal('invalid_request', `status must be one of ${[...COMMENTS.keys()].join(', ')}`)
}

interface Account {
  readonly id: string
  readonly label: string
  readonly status: string
  readonly reason?: string
  readonly limits?: readonly { readonly capability: string; readonly reason: string }[]
}

/** @param isWhole everything about them, not just the problems */
export async function listedAccounts(
  { platform, accountId }: { readonly platform?: string | undefined; readonly accountId?: string | undefined },
  work: TaskWork,
  isWhole = false,
): Promise<readonly object[]> {
  const { accounts } = await work.api<{ accounts: Record<string, readonly Account[]> }>('listAccounts')
  return Object.entries(accounts).flatMap(([key, items]) =>
    items
      .filter(({ id }) => (platform ?? key) === key && (accountId ?? id) === id)
      .map((item) => ({ platform: key, ...(isWhole ? item : brief(item)) })),
  )
}

function brief({ id, label, status, reason, limits }: Account): object {
  const refused = limits?.map((limit) => `${limit.capability}: ${limit.reason}`)
  return { id, label, ...(status !== 'ready' && { status, reason }), refused }
}
