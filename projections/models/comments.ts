import { comment, commentStreamId, type References } from '../../domain/conversation/comment.ts'
import { eventOf, parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { reply } from '../../domain/conversation/reply.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { boolean, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  /** The stream's id. */
  id: text(),
  workspaceId: text(),
  platform: text<PlatformKey>(),
  accountId: text(),
  /** The platform's id. */
  commentId: text(),
  kind: text<'comment' | 'mention'>(),
  postId: text<string | null>(),
  author: text(),
  authorId: text<string | null>(),
  text: text(),
  /** Keyed by the names in REFERENCES. */
  reference: json<References>(),
  replied: boolean(),
  dismissed: boolean(),
  /** May have left the workspace since. */
  assigneeId: text<string | null>(),
  /** When it was written on its platform. */
  createdAt: time(),
}
export type CommentRow = RowOf<typeof columns>
const ROW = rowFrom(columns)

/** Comments on accounts, until they are erased. Sent replies also change a row. */
export const comments: Projection<CommentRow> = {
  name: 'comments',
  version: 4,
  columns,
  // The first event of a reply's stream changes an existing row.
  createsRow: (recorded) => atStreamStart(recorded) && eventOf(comment, recorded) !== undefined,
  // Those of a platform may be longer than a B-tree takes.
  indexes: ['(workspace_id, created_at desc, id desc)', 'using hash (post_id)', 'using hash (comment_id)'],
  rowIds: (recorded) => {
    if (eventOf(comment, recorded)) return [parseStreamName(recorded.stream).id]
    const sent = sentReply(recorded)
    return sent ? [commentStreamId(sent.accountId, sent.commentId)] : []
  },
  apply: (row, recorded, id) => {
    if (sentReply(recorded)) return row && { ...row, replied: true }
    const event = eventOf(comment, recorded)
    switch (event?.type) {
      case 'CommentReceived': {
        const {
          workspaceId,
          platform,
          accountId,
          commentId,
          kind,
          postId = null,
          author,
          authorId = null,
          text,
        } = event.data
        return {
          id,
          workspaceId,
          platform,
          accountId,
          commentId,
          kind,
          postId,
          author,
          authorId,
          text,
          reference: event.data.references,
          replied: event.data.replied,
          dismissed: false,
          assigneeId: null,
          createdAt: event.data.createdAt,
        }
      }
      case 'CommentAnswered':
        return row && { ...row, replied: true }
      case 'CommentDismissed':
        return row && { ...row, dismissed: true }
      case 'CommentAssigned':
        return row && { ...row, assigneeId: event.data.assigneeId }
      case 'PersonalDataErased':
        return undefined
      case 'DraftOpened':
      case 'ReplyClaimed':
      case undefined:
        return row
    }
  },
}

function sentReply(recorded: RecordedEvent) {
  const event = eventOf(reply, recorded)
  return event?.type === 'ReplySent' ? event.data : undefined
}

export async function findComment(db: Database, id: string): Promise<CommentRow | undefined> {
  const { rows } = await db.query<CommentRow>(`select ${ROW} from read.comments where id = $1`, [id])
  return rows[0]
}

/** The comments of accounts with this id on their platform: usually one, and at most two. */
export async function findComments(
  db: Database,
  of: { readonly workspaceId: string; readonly commentId: string; readonly accountId: string | undefined },
): Promise<readonly CommentRow[]> {
  const { rows } = await db.query<CommentRow>(
    `select ${ROW} from read.comments
     where workspace_id = $1 and comment_id = $2 and ($3::text is null or account_id = $3) limit 2`,
    [of.workspaceId, of.commentId, of.accountId ?? null],
  )
  return rows
}

/** The streams of these that exist, and whether their comments have a reply. */
export async function knownComments(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await db.query<Pick<CommentRow, 'id' | 'replied'>>(
    'select id, replied from read.comments where id = any($1)',
    [ids],
  )
  return new Map(rows.map(({ id, replied }) => [id, replied]))
}

const REPLIES = 'select r.account_id, r.comment_id from read.replies r where r.workspace_id = $1 and r.status in'
const ON_ITS_WAY = `(account_id, comment_id) in (${REPLIES} ('sending'))`
const OPEN = `not replied and not dismissed and not (${ON_ITS_WAY})`
const HAS_DRAFT = `(account_id, comment_id) in (${REPLIES} ('pending', 'failed'))`

/** What is left to do about a comment, as a condition on its row; $1 is the workspace. */
const STATES = {
  to_reply: `${OPEN} and not (${HAS_DRAFT})`,
  draft_ready: `${OPEN} and ${HAS_DRAFT}`,
  done: `(replied or dismissed or ${ON_ITS_WAY})`,
}
export type InboxState = keyof typeof STATES
export const INBOX_STATES = Object.keys(STATES) as readonly InboxState[]

/** Filters a list of comments; an absent field matches any value. */
export interface CommentFilter {
  readonly platform?: string | undefined
  readonly kind?: CommentRow['kind'] | undefined
  readonly state?: InboxState | undefined
  readonly accountId?: string | undefined
  readonly replied?: boolean | undefined
  readonly dismissed?: boolean | undefined
  /** Assigned to one of these users. */
  readonly assignedTo?: readonly string[] | undefined
  /** Assigned to none of these. */
  readonly assignedToNoneOf?: readonly string[] | undefined
  /** Under these posts: an account and a post on its platform. */
  readonly under?: readonly { readonly accountId: string; readonly postId: string }[] | undefined
}

/** Comments written since a time (ISO 8601 UTC), newest first. */
export async function listComments(
  db: Database,
  page: CommentFilter & {
    readonly workspaceId: string
    readonly since: string
    readonly limit: number
    readonly after: { readonly at: string; readonly id: string } | undefined
  },
): Promise<readonly CommentRow[]> {
  const { rows } = await db.query<CommentRow>(
    `select ${ROW} from read.comments where workspace_id = $1 and created_at >= $2
       and ($3::timestamptz is null or (created_at, id) < ($3, $4))
       and ($6::text is null or platform = $6) and ($7::text is null or account_id = $7)
       and ($8::boolean is null or replied = $8) and ($9::boolean is null or dismissed = $9)
       and ($12::text is null or kind = $12) ${page.state ? `and ${STATES[page.state]}` : ''}
       and ($10::text[] is null or (account_id, post_id) in (select * from unnest($10::text[], $11::text[])))
       and ($13::text[] is null or assignee_id = any($13))
       and ($14::text[] is null or assignee_id is null or assignee_id <> all($14))
     order by created_at desc, id desc limit $5`,
    [
      ...[page.workspaceId, page.since, page.after?.at ?? null, page.after?.id ?? null, page.limit],
      ...[page.platform ?? null, page.accountId ?? null, page.replied ?? null, page.dismissed ?? null],
      page.under?.map(({ accountId }) => accountId) ?? null,
      page.under?.map(({ postId }) => postId) ?? null,
      ...[page.kind ?? null, page.assignedTo ?? null, page.assignedToNoneOf ?? null],
    ],
  )
  return rows
}
