import type * as z from 'zod'
import { chainParts } from '../../../domain/post/chain-parts.ts'
import type { Approval } from '../../../domain/post/approval.ts'
import type { PinnedMedia } from '../../../domain/post/post-events.ts'
import { mediaOf } from '../../../domain/post/post-media.ts'
import type { ScheduledPost } from '../../../domain/post/post.ts'
import { summaryOf, type ResultSummary } from '../../../domain/post/publish-results.ts'
import type { ShownScheduledPost as ScheduledPostRow } from '../../../projections/models/scheduled-posts.ts'
import { shown } from '../../kit/shown.ts'
import type { Authored } from '../posts/authors.ts'
import { scheduledPostSchema } from '../posts/post-schemas.ts'

export type ShownScheduledPost = z.infer<typeof scheduledPostSchema>

/** A scheduled post from its stream: it shows the command's result even if the read model lags. */
export function presentState(
  id: string,
  { status, content, due, pinned, approval }: Omit<ScheduledPost, 'writtenAt'>,
  createdAt: string,
): ShownScheduledPost {
  return shown(scheduledPostSchema, {
    ...{ id, status, summary: summaryIn(status, content.selections) },
    ...{ ...content, media: mediaOf(content), ...(content.chain && { parts: chainParts(content) }) },
    ...{ ...due, scheduledAtUtc: due.dueAt, createdAt, ...copiesOf(pinned) },
    approval: shortApproval(approval),
  })
}

export function presentRow(row: ScheduledPostRow & Authored): ShownScheduledPost {
  const summary = summaryIn(row.status, row.selections, row.results)
  const shows = { media: mediaOf(row), ...(row.chain && { parts: chainParts(row) }) }
  const copies = copiesOf(row.pinned)
  return shown(scheduledPostSchema, {
    ...row,
    ...shows,
    ...statusOf(row),
    summary,
    scheduledAtUtc: row.dueAt,
    ...copies,
    approval: shortApproval(row.approval),
    author: row.author,
  })
}

function shortApproval(approval: Approval | null | undefined): ShownScheduledPost['approval'] {
  return approval ? { status: approval.status, publishes: approval.publishes } : undefined
}

function copiesOf(pinned: readonly PinnedMedia[]): Pick<ShownScheduledPost, 'pinnedMedia'> {
  if (pinned.length === 0) return {}
  const pinnedMedia = pinned.map((item) =>
    'error' in item ? ({ ...item, status: 'failed' } as const) : ({ url: item.url, status: 'pinned' } as const),
  )
  return { pinnedMedia }
}

function summaryIn(
  status: ScheduledPostRow['status'],
  selections: ScheduledPostRow['selections'] | ScheduledPost['content']['selections'],
  results?: ScheduledPostRow['results'],
): ResultSummary {
  return summaryOf(status === 'cancelled' ? {} : selections, results ?? {})
}

/** Once the post has been queued, its outcome determines the status. */
function statusOf({
  status,
  postStatus: ofPost,
  results,
}: ScheduledPostRow): Pick<ShownScheduledPost, 'status' | 'reason'> {
  if (status !== 'publishing' || ofPost === null || ofPost === 'processing') return { status }
  if (ofPost === 'published') return { status: 'published' }
  const errors = Object.values(results ?? {}).flatMap((items) => items.flatMap((item) => (item.ok ? [] : [item.error])))
  return { status: 'failed', reason: errors.find((error) => error.startsWith('missed')) ?? errors[0] }
}
