import * as z from 'zod'
import type { LedgerAccount, LedgerComment, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { countsOf, type Counts } from './counts.ts'
import { handedOut, linksOf, shortLink, type ShortLink } from './text.ts'
import { fanCalled, ownerOf, type User } from './users.ts'

/** A post as X stores it, whether top-level or a reply. */
export interface Row {
  readonly id: string
  readonly author: User
  readonly text: string
  /** The links in the text. */
  readonly links: readonly ShortLink[]
  readonly createdAt: string
  /** The first post of its thread. */
  readonly conversationId: string
  /** What it replies to. */
  readonly target?: { readonly id: string; readonly author: User }
  readonly mediaKeys: readonly string[]
  /** Current counts. */
  counts(): Counts
}

const details = z.object({
  mediaKey: z.string().optional(),
  /** Of further images. */
  moreKeys: z.array(z.string()).default([]),
})

/** What the account itself wrote, newest first. */
export function ownRows(account: LedgerAccount, deps: StandInDeps): readonly Row[] {
  const { externalId: accountId } = account
  const replies = deps.ledger.commentsOf('x', accountId).filter(({ writtenBy }) => writtenBy === 'account')
  const posts = deps.ledger.posts('x', { accountId }).map((post) => postRow(post, account, deps))
  return newestFirst([...posts, ...replies.map((reply) => commentRow(reply, account, deps))])
}

/** What mentions the account, newest first: posts addressed to it, and its own posts that mention it. */
export function mentionRows(account: LedgerAccount, deps: StandInDeps): readonly Row[] {
  const own = ownerOf(account)
  const received = deps.ledger
    .commentsOf('x', own.id)
    .filter(({ writtenBy, text }) => writtenBy === 'fan' || text.includes(`@${own.username}`))
  return newestFirst(received.map((comment) => commentRow(comment, account, deps)))
}

/** Any post written here, by any author. */
export function rowOf(id: string, deps: StandInDeps): Row | undefined {
  const post = deps.ledger.post('x', id)
  const comment = deps.ledger.comment('x', id)
  const account = deps.ledger.account('x', (post ?? comment)?.accountId ?? '')
  if (!account) return undefined
  return post ? postRow(post, account, deps) : comment && commentRow(comment, account, deps)
}

function newestFirst(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt)).toReversed()
}

function postRow(post: LedgerPost, account: LedgerAccount, { clock, ledger }: StandInDeps): Row {
  const { id, caption, createdAt, inReplyTo, reach } = post
  const { mediaKey, moreKeys } = details.parse(post.details)
  const counts = () => countsOf(id, clock.now() - Date.parse(createdAt), ledger.commentsUnder('x', id).length, reach)
  const author = ownerOf(account)
  const of = { id, author, createdAt, conversationId: rootOf(post, ledger), counts }
  const target = inReplyTo === undefined ? {} : { target: { id: inReplyTo, author } }
  if (mediaKey === undefined) {
    return { ...of, ...target, text: handedOut(caption), links: linksOf(caption), mediaKeys: [] }
  }
  const expanded_url = `https://x.com/${author.username}/status/${id}/photo/1`
  // X appends a link to the media to a post's text.
  const toMedia = { url: shortLink(expanded_url), expanded_url, media_key: mediaKey }
  const text = `${handedOut(caption)} ${toMedia.url}`.trim()
  return { ...of, ...target, text, links: [...linksOf(caption), toMedia], mediaKeys: [mediaKey, ...moreKeys] }
}

function rootOf({ id, inReplyTo }: LedgerPost, ledger: StandInDeps['ledger']): string {
  const above = inReplyTo === undefined ? undefined : ledger.post('x', inReplyTo)
  return above ? rootOf(above, ledger) : id
}

/** X prefixes a reply with the name of the user it answers. */
function commentRow(comment: LedgerComment, account: LedgerAccount, { clock, ledger }: StandInDeps): Row {
  const { id, postId, inReplyTo, createdAt } = comment
  const above = inReplyTo === undefined ? undefined : ledger.comment('x', inReplyTo)
  const target = above
    ? { id: above.id, author: authorOf(above, account) }
    : postId !== undefined && { id: postId, author: ownerOf(account) }
  const text = handedOut(comment.text)
  const root = (of: LedgerComment): string => {
    const next = of.inReplyTo === undefined ? undefined : ledger.comment('x', of.inReplyTo)
    return of.postId ?? (next ? root(next) : of.id)
  }
  return {
    id,
    author: authorOf(comment, account),
    text: target ? `@${target.author.username} ${text}` : text,
    links: linksOf(comment.text),
    createdAt,
    conversationId: root(comment),
    mediaKeys: [],
    ...(target && { target }),
    counts: () => countsOf(id, clock.now() - Date.parse(createdAt)),
  }
}

function authorOf({ writtenBy, author }: LedgerComment, account: LedgerAccount): User {
  return writtenBy === 'account' ? ownerOf(account) : fanCalled(author)
}
