import type { z } from 'zod'
import type { ScheduledPost } from '../../../domain/post/post.ts'
import type { ShownScheduledPost as ScheduledPostRow } from '../../../projections/models/scheduled-posts.ts'
import type { scheduledPostSchema } from '../posts/post-schemas.ts'

export type ShownScheduledPost = z.infer<typeof scheduledPostSchema>

/** A scheduled post from its stream: it shows the command's result even if the read model lags. */
export function presentState(
  id: string,
  { status, content, due }: Pick<ScheduledPost, 'status' | 'content' | 'due'>,
  createdAt: string,
): ShownScheduledPost {
  const { workspaceId: _, ...what } = content
  const { dueAt: scheduledAtUtc, ...said } = due
  return { id, status, scheduledAtUtc, ...said, ...what, createdAt }
}

export function presentRow(row: ScheduledPostRow): ShownScheduledPost {
  return {
    id: row.id,
    ...statusOf(row),
    scheduledAtUtc: row.due_at,
    date: row.date,
    time: row.time,
    timezone: row.timezone,
    mediaUrl: row.media_url,
    mediaType: row.media_type,
    caption: row.caption,
    captionOverrides: row.caption_overrides,
    hashtags: row.hashtags,
    firstComment: row.first_comment ?? undefined,
    selections: row.selections,
    createdAt: row.created_at,
  }
}

/** Once the post has been queued, its outcome determines the status. */
function statusOf({
  status,
  post_status: ofPost,
  results,
}: ScheduledPostRow): Pick<ShownScheduledPost, 'status' | 'reason'> {
  if (status !== 'publishing' || ofPost === null || ofPost === 'processing') return { status }
  if (ofPost === 'published') return { status: 'published' }
  const errors = Object.values(results ?? {}).flatMap((items) => items.flatMap((item) => (item.ok ? [] : [item.error])))
  return { status: 'failed', reason: errors.find((error) => error.startsWith('missed')) ?? errors[0] }
}
