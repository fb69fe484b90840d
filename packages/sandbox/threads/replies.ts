import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount, LedgerComment, LedgerPost } from '../ledger.ts'
import { pick } from '../meta/fields.ts'
import { decode } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import type { StandInDeps } from '../stand-in.ts'
import { newId } from './ids.ts'
import { cursor, FIRST_SECOND, pageOf } from './page.ts'
import type { ReplyContainer } from './reply-containers.ts'
import { isListed } from './listing.ts'
import { postOf, rootOf, shown, shownReply } from './shown.ts'
import { authenticate, authenticateOwner, mustHave, NOT_PERMITTED, type ByUser } from './tokens.ts'
import { noSuchMedia } from './unknown.ts'

const page = {
  fields: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
  after: cursor.optional(),
}
const conversationQuery = z.strictObject({ ...page, reverse: z.enum(['true', 'false']).default('true') })
const repliesQuery = z.strictObject(page)
const mentionsQuery = z.strictObject({
  ...page,
  since: z.coerce.number().int().min(FIRST_SECOND).default(FIRST_SECOND),
})

/** A comment, or a later part of a chain. */
type Reply = LedgerComment | LedgerPost

/** Comments under the account's posts, its own replies, and mentions elsewhere. */
export function registerReplies(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger } = deps
  /** Newest first, unless they are wanted in the order of time. */
  const shownPage = (
    found: readonly Reply[],
    account: LedgerAccount,
    { fields, ...where }: { fields?: string | undefined; limit: number; after?: string | undefined },
    isReversed = true,
  ): object => {
    const inTime = found.toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
    // Without the permission, lists are empty; there is no error.
    const seen = account.label.startsWith('unread') ? [] : isReversed ? inTime.toReversed() : inTime
    return pageOf(seen, where, (reply) =>
      pick('caption' in reply ? shown(reply, account, deps) : shownReply(reply, account, deps), fields),
    )
  }
  /** The later parts of the account's chains. */
  const partsOf = ({ externalId: accountId }: LedgerAccount) =>
    ledger.posts('threads', { accountId }).filter((post) => post.inReplyTo !== undefined && isListed(post, deps))

  app.get<ById>('/v1.0/:id/conversation', (request, reply) => {
    const { account, parameters } = authenticate(request, deps)
    const post = postOf(account, request.params.id, deps)
    if (!post) throw noSuchMedia()
    const { reverse, ...where } = decode(conversationQuery, parameters)
    const parts = partsOf(account).filter((part) => rootOf(part, ledger) === post.id)
    const all = [...parts, ...ledger.commentsUnder('threads', post.id)]
    return reply.send(shownPage(all, account, where, reverse === 'true'))
  })

  app.get<ByUser>('/v1.0/:user/replies', (request, reply) => {
    const { account, parameters } = authenticateOwner(request, deps)
    const own = ledger.commentsOf('threads', account.externalId).filter(({ writtenBy }) => writtenBy === 'account')
    return reply.send(shownPage([...partsOf(account), ...own], account, decode(repliesQuery, parameters)))
  })

  app.get<ByUser>('/v1.0/:user/mentions', (request, reply) => {
    const { account, parameters } = authenticateOwner(request, deps)
    const { since, ...where } = decode(mentionsQuery, parameters)
    mustHave('threads_manage_mentions', account)
    const found = ledger
      .commentsOf('threads', account.externalId)
      .filter(({ postId, writtenBy }) => postId === undefined && writtenBy === 'fan')
      .filter(({ createdAt }) => Date.parse(createdAt) >= since * 1_000)
    return reply.send(shownPage(found, account, where))
  })
}

/**
 * The comment to reply to.
 *
 * @throws StandInRefusal when this account may not reply to it
 */
export function answerable({ externalId }: LedgerAccount, id: string, { ledger }: StandInDeps): LedgerComment {
  const comment = ledger.comment('threads', id)
  if (!comment) throw noSuchMedia()
  if (comment.accountId === externalId) return comment
  throw NOT_PERMITTED
}

/** Publishes a container's reply. Publishing twice makes two replies: how Threads handles that is unknown. */
export function liveReply(container: ReplyContainer, { label: author }: LedgerAccount, deps: StandInDeps): string {
  const { accountId, text, to } = container
  const id = newId(deps.ids)
  const own = { id, platform: 'threads', accountId, writtenBy: 'account', author, text } as const
  const under = { inReplyTo: to.id, ...(to.postId !== undefined && { postId: to.postId }) }
  deps.ledger.addComment({ ...own, ...under, createdAt: isoTime(deps.clock.now()) })
  container.isPublished = true
  return id
}
