import type { z } from 'zod'
import type { CommentRow } from '../../../projections/models/comments.ts'
import type { ReplyRow } from '../../../projections/models/replies.ts'
import type { commentSchema, replySchema } from './comment-schemas.ts'

export function presentComment(row: CommentRow): z.infer<typeof commentSchema> {
  const { comment_id: id, platform, account_id: accountId, kind, post_id: postId, author, text, created_at } = row
  return {
    ...{ id, platform, accountId, kind, postId: postId ?? undefined, author, text, createdAt: created_at },
    ...{ replied: row.replied, dismissed: row.dismissed, ...row.reference },
  }
}

export function presentReply(row: ReplyRow): z.infer<typeof replySchema> {
  const { id, platform, account_id: accountId, comment_id: commentId, comment_text: commentText, draft, drafting } = row
  return {
    ...{ id, platform, accountId, commentId, commentText, commentAuthor: row.comment_author ?? undefined },
    ...{ draft, drafting, status: row.status, source: row.source },
    ...{ createdAt: row.created_at, updatedAt: row.updated_at, sentAt: row.sent_at ?? undefined },
    ...{
      platformReplyId: row.platform_reply_id ?? undefined,
      url: row.url ?? undefined,
      error: row.error ?? undefined,
      supersededBy: row.superseded_by ?? undefined,
    },
  }
}
