import * as z from 'zod'
import { commentName, nameUnder, type CommentName } from './urn.ts'

/** Milliseconds since the epoch, within the range of `Date`. */
export const time = z.int().min(0).max(8.64e15)

export interface Comment extends CommentName {
  /** URN of a person or a page, if given. */
  readonly actor: string | undefined
  /** URN of the post, in the form that LinkedIn uses here. */
  readonly object: string | undefined
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Whether it replies to another comment; there are only two levels. */
  readonly isReply: boolean
  readonly replies: number
}

const element = z.object({
  id: z.string().optional().catch(undefined),
  $URN: z.string().optional().catch(undefined),
  commentUrn: z.string().optional().catch(undefined),
  actor: z.string().optional().catch(undefined),
  object: z.string().optional().catch(undefined),
  message: z.object({ text: z.string().catch('') }).catch({ text: '' }),
  created: z.object({ time }),
  parentComment: z.string().optional().catch(undefined),
  commentsSummary: z.object({ totalFirstLevelComments: z.number() }).optional().catch(undefined),
})

/** @returns undefined if it has no readable URN or no time */
export function readComment(value: unknown): Comment | undefined {
  const { data } = element.safeParse(value)
  if (!data) return undefined
  const { object, id, actor, message, created, parentComment, commentsSummary } = data
  const spelled = commentName(data.commentUrn) ?? commentName(data.$URN)
  const name =
    spelled ?? (object !== undefined && id !== undefined ? commentName(nameUnder(object, id).urn) : undefined)
  if (!name) return undefined
  return {
    ...name,
    actor,
    object,
    text: message.text,
    createdAt: created.time,
    isReply: parentComment !== undefined,
    replies: commentsSummary?.totalFirstLevelComments ?? 0,
  }
}

export function readComments(values: readonly unknown[]): readonly Comment[] {
  return values.map(readComment).filter((comment) => comment !== undefined)
}
