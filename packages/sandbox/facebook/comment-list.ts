import * as z from 'zod'
import type { LedgerComment } from '../ledger.ts'
import { fanId } from '../meta/fans.ts'
import { graphTime, pick, type Edge, type Field } from '../meta/fields.ts'
import { pageOf } from '../meta/page.ts'
import { decode } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { listUrl, pageQuery } from './page-query.ts'
import { tasksOn } from './person.ts'
import type { Caller } from './tokens.ts'

/** The parent of comments: its id, all comments below it at any depth, oldest first, and its direct children. */
export interface Commented {
  readonly id: string
  readonly all: readonly LedgerComment[]
  readonly top: readonly LedgerComment[]
}

const listQuery = z.strictObject({
  ...pageQuery,
  filter: z.enum(['toplevel', 'stream']).default('toplevel'),
  order: z.enum(['chronological', 'reverse_chronological']).default('chronological'),
  summary: z.enum(['true', 'false']).optional(),
})

export function underPost(id: string, all: readonly LedgerComment[]): Commented {
  return { id, all, top: all.filter(({ inReplyTo }) => inReplyTo === undefined) }
}

/** @throws StandInRefusal */
export function commentList(
  { id, all, top }: Commented,
  caller: Caller,
  parameters: Readonly<Record<string, string>>,
  deps: StandInDeps,
  inner?: readonly Field[],
): object {
  const { fields, filter, order, summary, ...page } = decode(listQuery, parameters)
  const wanted = filter === 'stream' ? all : top
  // A list of all depths is always in order of creation.
  const sorted = order === 'reverse_chronological' && filter === 'toplevel' ? wanted.toReversed() : wanted
  const url = listUrl(`${id}/comments`, { ...caller, parameters }, deps)
  const answer = pageOf(maySee(caller) ? sorted : [], { ...page, url }, (comment) =>
    pick(shownComment(comment, caller, deps), inner ?? fields),
  )
  return { ...answer, ...(summary === 'true' && { summary: { order, total_count: wanted.length } }) }
}

/** The same list as a field of its parent. */
export function commentEdge(commented: Commented, caller: Caller, deps: StandInDeps): Edge {
  return ({ modifiers, fields }) => commentList(commented, caller, modifiers, deps, fields)
}

export function underComment({ id, accountId, postId }: LedgerComment, { ledger }: StandInDeps): Commented {
  const there =
    postId === undefined ? ledger.commentsOf('facebook', accountId) : ledger.commentsUnder('facebook', postId)
  const replies = there.filter(({ inReplyTo }) => inReplyTo === id)
  return { id, all: replies, top: replies }
}

/** All readable fields. A mention is a post, and has fewer. */
export function shownComment(
  comment: LedgerComment,
  caller: Caller,
  deps: StandInDeps,
): Readonly<Record<string, unknown>> {
  const { id, text, author, accountId, postId, inReplyTo, writtenBy, createdAt } = comment
  const shown = {
    id,
    message: text,
    from: { id: writtenBy === 'account' ? accountId : fanId(author), name: author },
    created_time: graphTime(createdAt),
    permalink_url: `https://www.facebook.com/${postId ?? id}?comment_id=${id.slice(id.indexOf('_') + 1)}`,
    comments: commentEdge(underComment(comment, deps), caller, deps),
  }
  if (isMention(comment)) return shown
  return { ...shown, parent: inReplyTo === undefined ? undefined : { id: inReplyTo }, is_hidden: false }
}

/** Somebody else's post that mentions the Page. */
export function isMention({ postId, inReplyTo }: LedgerComment): boolean {
  return postId === undefined && inReplyTo === undefined
}

/** Neither a person nor a Page without a task to moderate sees comments; they get no error. */
function maySee({ account, kind }: Caller): boolean {
  return kind === 'accessToken' && tasksOn(account).some((task) => task.endsWith('MODERATE'))
}
