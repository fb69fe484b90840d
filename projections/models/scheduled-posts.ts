import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { MediaType } from '../../domain/core/platform.ts'
import { post } from '../../domain/post/post.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { PostRow } from './posts.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

export interface ScheduledPostRow {
  readonly id: string
  readonly workspace_id: string
  /** `publishing` from when the post is queued on: the post has the status from there (decisions, "Scheduled posts"). */
  readonly status: 'pending' | 'publishing' | 'cancelled'
  readonly due_at: string
  readonly date: string
  readonly time: string
  readonly timezone: string
  readonly media_url: string
  readonly media_type: MediaType
  readonly caption: string
  readonly caption_overrides: Readonly<Record<string, string>>
  readonly hashtags: string[]
  readonly first_comment: string | null
  readonly selections: Readonly<Record<string, string[]>>
  readonly created_at: string
}

export const scheduledPosts: Projection<ScheduledPostRow> = {
  name: 'scheduled_posts',
  version: 1,
  columns: {
    id: 'text',
    workspace_id: 'text',
    status: 'text',
    due_at: 'timestamptz',
    date: 'text',
    time: 'text',
    timezone: 'text',
    media_url: 'text',
    media_type: 'text',
    caption: 'text',
    caption_overrides: 'json',
    hashtags: 'json',
    first_comment: 'text',
    selections: 'json',
    created_at: 'timestamptz',
  },
  makesAnew: atStreamStart,
  indexes: [`(workspace_id, due_at, id) where status = 'pending'`],
  rowIds: (recorded) => {
    const event = eventOf(post, recorded)
    switch (event?.type) {
      case 'PostScheduled':
      case 'PostRescheduled':
      case 'ScheduleCancelled':
        return [parseStreamName(recorded.stream).id]
      case 'PostQueued':
        return event.data.origin === 'schedule' ? [parseStreamName(recorded.stream).id] : []
      default:
        return []
    }
  },
  apply: (row, recorded, id) => {
    const event = eventOf(post, recorded)
    switch (event?.type) {
      case 'PostScheduled': {
        const { workspaceId, mediaUrl, mediaType, caption, captionOverrides, hashtags, selections } = event.data
        const { firstComment = null, dueAt, date, time, timezone } = event.data
        return {
          id,
          workspace_id: workspaceId,
          status: 'pending',
          due_at: dueAt,
          date,
          time,
          timezone,
          media_url: mediaUrl,
          media_type: mediaType,
          caption,
          caption_overrides: captionOverrides,
          hashtags,
          first_comment: firstComment,
          selections,
          created_at: recorded.metadata.at,
        }
      }
      case 'PostRescheduled': {
        const { dueAt, date, time } = event.data
        return row && { ...row, due_at: dueAt, date, time }
      }
      case 'ScheduleCancelled':
        return row && { ...row, status: 'cancelled' }
      default:
        return row && { ...row, status: 'publishing' }
    }
  },
}

/** Includes the post's own status and results, once there are any. */
export interface ShownScheduledPost extends ScheduledPostRow {
  readonly post_status: PostRow['status'] | null
  readonly results: PostRow['results'] | null
}

const SHOWN = `select s.*, p.status as post_status, p.results
  from read.scheduled_posts s left join read.posts p on p.id = s.id`

export async function findScheduledPost(db: Database, id: string): Promise<ShownScheduledPost | undefined> {
  const { rows } = await db.query<ShownScheduledPost>(`${SHOWN} where s.id = $1`, [id])
  return rows[0]
}

/** Pending posts, soonest first. */
export async function listScheduledPosts(
  db: Database,
  page: {
    readonly workspaceId: string
    readonly limit: number
    readonly after: { readonly at: string; readonly id: string } | undefined
  },
): Promise<readonly ShownScheduledPost[]> {
  const { rows } = await db.query<ShownScheduledPost>(
    `${SHOWN} where s.workspace_id = $1 and s.status = 'pending'
       and ($2::timestamptz is null or (s.due_at, s.id) > ($2, $3))
     order by s.due_at, s.id limit $4`,
    [page.workspaceId, page.after?.at ?? null, page.after?.id ?? null, page.limit],
  )
  return rows
}
