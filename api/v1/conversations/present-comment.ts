import type * as z from 'zod'
import type { CommentRow } from '../../../projections/models/comments.ts'
import { shown } from '../../kit/shown.ts'
import { commentSchema } from './comment-schemas.ts'

export function presentComment(row: CommentRow): z.infer<typeof commentSchema> {
  return shown(commentSchema, { ...row, ...row.reference, id: row.commentId })
}
