import * as z from 'zod'
import type { LedgerComment } from '../ledger.ts'
import { fanId } from '../meta/fans.ts'
import { graphTime, pick, type Field } from '../meta/fields.ts'
import { listQuery, pageOf } from '../meta/page.ts'
import { decode } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'

const commentsQuery = z.strictObject(listQuery(1, 50, 50))
/** What the ledger stores of a comment beyond its common fields. */
const details = z.object({ hidden: z.boolean().default(false) })

/**
 * @param edge which of an object's lists it is
 * @throws StandInRefusal
 */
export function commentList(
  comments: readonly LedgerComment[],
  edge: string,
  query: Readonly<Record<string, unknown>>,
  deps: StandInDeps,
  inner?: readonly Field[],
): object {
  const { fields, limit, after } = decode(commentsQuery, query)
  const url = `${deps.baseUrl()}/v26.0/${edge}`
  return pageOf(listedFor(comments, deps), { after, limit, url }, (comment) =>
    pick(shownComment(comment, deps), inner ?? fields),
  )
}

export function repliesTo({ id, postId = '' }: LedgerComment, { ledger }: StandInDeps): readonly LedgerComment[] {
  return ledger.commentsUnder('instagram', postId).filter(({ inReplyTo }) => inReplyTo === id)
}

/** Without advanced access, an app gets no comments by people without a role on it. Here, that is everybody but the account. */
function listedFor(comments: readonly LedgerComment[], { ledger }: StandInDeps): readonly LedgerComment[] {
  return ledger.isReviewed('instagram') ? comments : comments.filter(({ writtenBy }) => writtenBy === 'account')
}

export function isHidden({ details: kept }: LedgerComment): boolean {
  return details.parse(kept ?? {}).hidden
}

/** All readable fields. */
export function shownComment(comment: LedgerComment, deps: StandInDeps): Readonly<Record<string, unknown>> {
  const { id, accountId, text, author, inReplyTo, writtenBy, createdAt } = comment
  return {
    id,
    text,
    username: author,
    from: { id: writtenBy === 'account' ? accountId : fanId(author), username: author },
    timestamp: graphTime(createdAt),
    parent_id: inReplyTo,
    hidden: isHidden(comment),
    replies: ({ modifiers, fields }: Field) =>
      commentList(repliesTo(comment, deps), `${id}/replies`, modifiers, deps, fields),
  }
}
