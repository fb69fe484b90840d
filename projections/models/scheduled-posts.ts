import { eventOf, parseStreamName, type Metadata } from '../../domain/core/event.ts'
import { evolveApproval, type Approval, type ApprovalStatus, type PostVersion } from '../../domain/post/approval.ts'
import type { PostType } from '../../domain/core/platform.ts'
import { actorKindOf, type ActorKind } from '../../domain/log/activity.ts'
import { post, stillPinned, type PostContent } from '../../domain/post/post.ts'
import type { PinnedMedia, PostEvent } from '../../domain/post/post-events.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { findPost, type PostRow } from './posts.ts'
import { json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { conditions, type Filter, type WorkspacePage } from '../engine/newest-first.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  /** `publishing` from when the post is queued on: the post has the status from there (decisions, "Scheduled posts"). */
  status: text<'pending' | 'publishing' | 'cancelled'>(),
  dueAt: time(),
  date: text(),
  time: text(),
  timezone: text(),
  mediaUrl: text(),
  mediaType: text<PostType>(),
  media: json<PostContent['media'] | null>(),
  chain: json<PostContent['chain'] | null>(),
  caption: text(),
  captionOverrides: json<Readonly<Record<string, string>>>(),
  hashtags: json<string[]>(),
  firstComment: text<string | null>(),
  platformOptions: json<PostContent['platformOptions'] | null>(),
  accountOptions: json<PostContent['accountOptions'] | null>(),
  selections: json<Readonly<Record<string, string[]>>>(),
  /** The copies of its media that were made, or could not be. */
  pinned: json<readonly PinnedMedia[]>(),
  createdAt: time(),
  /** Null if it needs no approval, or was canceled before somebody decided. */
  approvalStatus: text<ApprovalStatus | null>(),
  approval: json<Approval | null>(),
  /** Who scheduled it. */
  authorId: text(),
  authorKind: text<ActorKind | 'system'>(),
}
export type ScheduledPostRow = RowOf<typeof columns>

export const scheduledPosts: Projection<ScheduledPostRow> = {
  name: 'scheduled_posts',
  version: 7,
  columns,
  createsRow: atStreamStart,
  indexes: [
    `(workspace_id, due_at, id) where status = 'pending'`,
    '(workspace_id, due_at, id) where approval_status is not null',
    '(author_id, workspace_id, due_at, id)',
  ],
  rowIds: (recorded) => {
    const event = eventOf(post, recorded)
    switch (event?.type) {
      case 'PostScheduled':
      case 'PostRescheduled':
      case 'PostEdited':
      case 'PostMediaPinned':
      case 'ScheduleCancelled':
      case 'ApprovalRequested':
      case 'ApprovalDecided':
      case 'ApprovalCommented':
      case 'ReviewLinkCreated':
      case 'ReviewLinkRevoked':
      case 'PostHeld':
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
        const { dueAt, date, time, timezone, awaitsApproval: _, ...content } = event.data
        const due = { dueAt, date, time, timezone }
        const approval = { approval: null, approvalStatus: null }
        const { at: createdAt, actor } = recorded.metadata
        const author = { authorId: actor.id, authorKind: actorKindOf(actor) }
        return { id, status: 'pending', ...due, ...contentOf(content), pinned: [], createdAt, ...approval, ...author }
      }
      default:
        return row && event && changed(withApproval(row, event, recorded.metadata), event)
    }
  },
}

function changed(row: ScheduledPostRow, event: PostEvent): ScheduledPostRow {
  switch (event.type) {
    case 'PostRescheduled':
      return { ...row, ...event.data }
    case 'PostEdited':
      return { ...row, ...contentOf(event.data), pinned: stillPinned(row.pinned, event.data) }
    case 'PostMediaPinned':
      return { ...row, pinned: event.data.media }
    case 'ScheduleCancelled':
      return { ...row, status: 'cancelled', approvalStatus: row.approvalStatus === 'rejected' ? 'rejected' : null }
    case 'PostQueued':
      return { ...row, status: 'publishing' }
    default:
      return row
  }
}

function withApproval(row: ScheduledPostRow, event: PostEvent, metadata: Metadata): ScheduledPostRow {
  const approval = evolveApproval(row.approval ?? undefined, event, metadata, () => versionOf(row)) ?? null
  return { ...row, approval, approvalStatus: approval?.status ?? null }
}

/** What the post is now. */
export function versionOf(row: ScheduledPostRow): PostVersion {
  const { workspaceId, mediaUrl, mediaType, caption, captionOverrides, hashtags, selections } = row
  const { media, chain, firstComment, platformOptions, accountOptions } = row
  const { date, time, timezone, dueAt } = row
  return {
    content: {
      ...{ workspaceId, mediaUrl, mediaType, caption, captionOverrides, hashtags, selections },
      ...(media && { media }),
      ...(chain && { chain }),
      ...(firstComment !== null && { firstComment }),
      ...(platformOptions && { platformOptions }),
      ...(accountOptions && { accountOptions }),
    },
    due: { date, time, timezone, dueAt },
  }
}

function contentOf(content: PostContent) {
  const { media = null, chain = null, firstComment = null, platformOptions = null, accountOptions = null } = content
  return { ...content, media, chain, firstComment, platformOptions, accountOptions }
}

/** Includes the post's own status and results, once there are any. */
export interface ShownScheduledPost extends ScheduledPostRow {
  readonly postStatus: PostRow['status'] | null
  readonly results: PostRow['results'] | null
}

const SHOWN = `select ${rowFrom(columns, 's')}, p.status as "postStatus", p.results
  from read.scheduled_posts s left join read.posts p on p.id = s.id`

export async function findScheduledPost(db: Database, id: string): Promise<ShownScheduledPost | undefined> {
  const { rows } = await db.query<ShownScheduledPost>(`${SHOWN} where s.id = $1`, [id])
  return rows[0]
}

/** A post, or one that is still scheduled. */
export async function findAnyPost(db: Database, id: string): Promise<PostRow | ShownScheduledPost | undefined> {
  return (await findPost(db, id)) ?? findScheduledPost(db, id)
}

/** Pending posts, soonest first. @param filters on the table `s` */
export async function listScheduledPosts(
  db: Database,
  page: WorkspacePage,
  filters: readonly Filter[] = [],
): Promise<readonly ShownScheduledPost[]> {
  return soonestFirst(db, page, `s.status = 'pending'`, filters)
}

/** Posts that need approval, or that somebody decided on, soonest first. @param others on the table `s` */
export async function listApprovals(
  db: Database,
  page: WorkspacePage,
  statuses: readonly ApprovalStatus[],
  others: readonly Filter[] = [],
): Promise<readonly ShownScheduledPost[]> {
  const filters = [{ sql: 's.approval_status = any($::text[])', value: statuses }, ...others]
  return soonestFirst(db, page, 's.approval_status is not null', filters)
}

async function soonestFirst(
  db: Database,
  page: WorkspacePage,
  which: string,
  filters: readonly Filter[],
): Promise<readonly ShownScheduledPost[]> {
  const { rows } = await db.query<ShownScheduledPost>(
    `${SHOWN} where s.workspace_id = $1 and ${which}
       and ($2::timestamptz is null or (s.due_at, s.id) > ($2, $3))
       ${conditions(filters, 4)}
     order by s.due_at, s.id limit $4`,
    [
      page.workspaceId,
      page.after?.at ?? null,
      page.after?.id ?? null,
      page.limit,
      ...filters.map(({ value }) => value),
    ],
  )
  return rows
}

/** How many posts are scheduled for accounts of a workspace, by the account's id. */
export async function scheduledByAccount(
  db: Database,
  workspaceId: string,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ account: string; count: number }>(
    `select account, count(*)::int as count from read.scheduled_posts,
       jsonb_each(selections::jsonb) of, jsonb_array_elements_text(of.value) account
     where workspace_id = $1 and status = 'pending' and account = any($2) group by account`,
    [workspaceId, accountIds],
  )
  return new Map(rows.map(({ account, count }) => [account, count]))
}

/** When posts of the accounts are scheduled, apart from one post. @returns ISO 8601 UTC */
export async function takenTimes(
  db: Database,
  of: { readonly workspaceId: string; readonly accountIds: readonly string[]; readonly except: string },
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<Pick<ScheduledPostRow, 'dueAt'>>(
    `select ${rowFrom({ dueAt: columns.dueAt })} from read.scheduled_posts
     where workspace_id = $1 and status = 'pending' and id <> $3 and exists (
       select from jsonb_each(selections::jsonb) of, jsonb_array_elements_text(of.value) account where account = any($2)
     )`,
    [of.workspaceId, of.accountIds, of.except],
  )
  return new Set(rows.map(({ dueAt }) => dueAt))
}
