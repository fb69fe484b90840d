import { ERASED } from '../../domain/core/personal-data.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { reply } from '../../domain/conversation/reply.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { boolean, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

export const REPLY_STATUSES = ['pending', 'sending', 'sent', 'rejected', 'superseded', 'failed'] as const

const columns = {
  id: text(),
  workspaceId: text(),
  platform: text<PlatformKey>(),
  accountId: text(),
  commentId: text(),
  commentText: text(),
  commentAuthor: text<string | null>(),
  /** Empty until a draft is written. Once sent, the text that was sent. */
  draft: text(),
  status: text<(typeof REPLY_STATUSES)[number]>(),
  source: text<'automation' | 'api'>(),
  /** Whether the AI is writing a draft. */
  drafting: boolean(),
  error: text<string | null>(),
  /** The reply that was sent instead. */
  supersededBy: text<string | null>(),
  platformReplyId: text<string | null>(),
  url: text<string | null>(),
  /** When the automation approved it. */
  automaticAt: time<string | null>(),
  createdAt: time(),
  updatedAt: time(),
  sentAt: time<string | null>(),
}
export type ReplyRow = RowOf<typeof columns>
const ROW = rowFrom(columns)

export const replies: Projection<ReplyRow> = {
  name: 'replies',
  version: 4,
  columns,
  createsRow: atStreamStart,
  indexes: [
    '(workspace_id, created_at desc, id desc)',
    '(platform, platform_reply_id) where platform_reply_id is not null',
    '(account_id, automatic_at) where automatic_at is not null',
    '(account_id, comment_id)',
    `(workspace_id, account_id, comment_id) where status in ('pending', 'sending', 'failed')`,
  ],
  rowIds: (recorded) => (eventOf(reply, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (before, recorded, id) => {
    const event = eventOf(reply, recorded)
    const { at, actor } = recorded.metadata
    const row = before && { ...before, updatedAt: at }
    switch (event?.type) {
      case 'ReplyOpened': {
        const { workspaceId, platform, accountId, commentId, commentText, commentAuthor = null, source } = event.data
        return {
          id,
          workspaceId,
          platform,
          accountId,
          commentId,
          source,
          commentText,
          commentAuthor,
          draft: '',
          status: 'pending',
          drafting: false,
          error: null,
          supersededBy: null,
          platformReplyId: null,
          url: null,
          automaticAt: null,
          sentAt: null,
          createdAt: at,
          updatedAt: at,
        }
      }
      case 'DraftRequested':
        return row && { ...row, drafting: true, error: null }
      case 'DraftDeferred':
        return row && { ...row, error: event.data.error }
      case 'DraftWritten':
      case 'DraftEdited':
        return row && { ...row, draft: event.data.text, drafting: false, error: null }
      case 'DraftFailed':
        return row && { ...row, drafting: false, error: event.data.error }
      case 'ReviewRequired':
        return row && { ...row, error: event.data.reason }
      case 'ReplyApproved': {
        const automaticAt = actor.kind === 'reactor' ? at : null
        return row && { ...row, status: 'sending', draft: event.data.text, drafting: false, error: null, automaticAt }
      }
      case 'ReplyRejected':
        return row && { ...row, status: 'rejected', drafting: false }
      case 'ReplySuperseded':
        return row && { ...row, status: 'superseded', drafting: false, error: null, supersededBy: event.data.replyId }
      case 'SendDeferred':
        return row && { ...row, error: event.data.error }
      case 'ReplySent': {
        const { text, platformReplyId, url = null } = event.data
        const sent = { status: 'sent', draft: text, error: null, sentAt: at } as const
        return row && { ...row, ...sent, platformReplyId, url }
      }
      case 'ReplyFailed':
        return row && { ...row, status: 'failed', error: event.data.error }
      case 'PersonalDataErased': {
        const draft = row?.draft === '' ? '' : ERASED
        return row && { ...row, commentText: ERASED, commentAuthor: null, draft }
      }
      default:
        return row
    }
  },
}

export async function findReply(db: Database, id: string): Promise<ReplyRow | undefined> {
  const { rows } = await db.query<ReplyRow>(`select ${ROW} from read.replies where id = $1`, [id])
  return rows[0]
}

/** Newest first. */
export async function listReplies(
  db: Database,
  page: {
    readonly workspaceId: string
    readonly statuses: readonly ReplyRow['status'][]
    readonly limit: number
    readonly after: { readonly at: string; readonly id: string } | undefined
  },
): Promise<readonly ReplyRow[]> {
  const { rows } = await db.query<ReplyRow>(
    `select ${ROW} from read.replies where workspace_id = $1 and status = any($2)
       and ($3::timestamptz is null or (created_at, id) < ($3, $4))
     order by created_at desc, id desc limit $5`,
    [page.workspaceId, page.statuses, page.after?.at ?? null, page.after?.id ?? null, page.limit],
  )
  return rows
}

/** The replies to one comment, oldest first. */
export async function repliesTo(db: Database, accountId: string, commentId: string): Promise<readonly ReplyRow[]> {
  const { rows } = await db.query<ReplyRow>(
    `select ${ROW} from read.replies where account_id = $1 and comment_id = $2 order by created_at, id`,
    [accountId, commentId],
  )
  return rows
}

/** The newest reply to each of these comments that was neither rejected nor superseded. */
export async function newestReplies(
  db: Database,
  workspaceId: string,
  comments: readonly { readonly accountId: string; readonly commentId: string }[],
): Promise<readonly ReplyRow[]> {
  const { rows } = await db.query<ReplyRow>(
    `select distinct on (account_id, comment_id) ${ROW} from read.replies
     where workspace_id = $1 and (account_id, comment_id) in (select * from unnest($2::text[], $3::text[]))
       and status not in ('rejected', 'superseded')
     order by account_id, comment_id, created_at desc, id desc`,
    [workspaceId, comments.map(({ accountId }) => accountId), comments.map(({ commentId }) => commentId)],
  )
  return rows
}

/** How many of an account's replies the automation approved since a time (ISO 8601 UTC). */
export async function countAutomatic(db: Database, accountId: string, since: string): Promise<number> {
  const { rows } = await db.query<{ count: string }>(
    'select count(*) from read.replies where account_id = $1 and automatic_at >= $2',
    [accountId, since],
  )
  return Number(rows[0]?.count)
}

/** Whether this service wrote a comment: it is a sent reply, or its author is an account of any workspace. */
export async function isOurs(
  db: Database,
  {
    platform,
    commentId,
    authorId,
  }: { readonly platform: string; readonly commentId: string; readonly authorId?: string | undefined },
): Promise<boolean> {
  const { rows } = await db.query<{ ours: boolean }>(
    `select exists (select from read.replies where platform = $1 and platform_reply_id = $2)
       or exists (select from read.accounts where platform = $1 and external_id = $3) as ours`,
    [platform, commentId, authorId ?? null],
  )
  return rows[0]?.ours ?? false
}
