import type * as z from 'zod'
import { publishedKey } from '../../../domain/post/publish-results.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import type { CommentRow } from '../../../projections/models/comments.ts'
import { postsPublishedAs, type PublishedRow } from '../../../projections/models/posts.ts'
import { newestReplies, type ReplyRow } from '../../../projections/models/replies.ts'
import { shown } from '../../kit/shown.ts'
import { assigneesOf } from './assignees.ts'
import { commentSchema, replySchema } from './comment-schemas.ts'

interface Context {
  readonly reply?: ReplyRow | undefined
  readonly post?: PublishedRow | undefined
  readonly assignee?: { readonly id: string; readonly name: string } | undefined
}

/**
 * The comments of a workspace, each with the newest reply to it and the post that it is under, if they are from here, and to whom it
 * is assigned.
 */
export async function withContext(
  db: Database,
  workspaceId: string,
  rows: readonly CommentRow[],
): Promise<readonly (CommentRow & Context)[]> {
  const keyOf = ({ accountId, postId }: CommentRow) => (postId === null ? undefined : publishedKey(accountId, postId))
  const keys = rows.flatMap((row) => keyOf(row) ?? [])
  const isAssigned = rows.some(({ assigneeId }) => assigneeId !== null)
  const [replies, posts, assignees] = await Promise.all([
    newestReplies(db, workspaceId, rows),
    postsPublishedAs(db, workspaceId, [...new Set(keys)]),
    isAssigned ? assigneesOf(db, workspaceId) : new Map<string, string>(),
  ])
  return rows.map((row) => ({
    ...row,
    reply: replies.find(({ accountId, commentId }) => accountId === row.accountId && commentId === row.commentId),
    post: posts.get(keyOf(row) ?? ''),
    assignee: assigneeOf(row, assignees),
  }))
}

function assigneeOf({ assigneeId }: CommentRow, names: ReadonlyMap<string, string>): Context['assignee'] {
  const name = assigneeId === null ? undefined : names.get(assigneeId)
  return assigneeId === null || name === undefined ? undefined : { id: assigneeId, name }
}

export function presentComment({ reply, post, assignee, ...row }: CommentRow & Context): z.infer<typeof commentSchema> {
  return shown(commentSchema, {
    ...{ ...row, ...row.reference, id: row.commentId },
    reply: reply && shown(replySchema, reply),
    ...{ post, assignee },
  })
}
