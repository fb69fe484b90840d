import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerPost } from '../ledger.ts'
import { pick } from '../meta/fields.ts'
import { decode } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { cursor, FIRST_SECOND, pageOf } from './page.ts'
import { shown } from './shown.ts'
import { authenticateOwner, type ByUser } from './tokens.ts'

const time = z.coerce.number().int().min(FIRST_SECOND)
const query = z.strictObject({
  fields: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
  since: time.optional(),
  until: time.optional(),
  after: cursor.optional(),
})
const details = z.object({ listedAt: z.string() })

/** `GET /{user}/threads`: newest first, without replies. */
export function registerListing(app: FastifyInstance, deps: StandInDeps): void {
  app.get<ByUser>('/v1.0/:user/threads', (request, reply) => {
    const { account, parameters } = authenticateOwner(request, deps)
    const { fields, since = FIRST_SECOND, until = Infinity, ...where } = decode(query, parameters)
    const posts = deps.ledger
      .posts('threads', { accountId: account.externalId })
      .filter(({ createdAt }) => Date.parse(createdAt) >= since * 1_000 && Date.parse(createdAt) <= until * 1_000)
      .filter((post) => post.inReplyTo === undefined && isListed(post, deps))
      .toReversed()
    return reply.send(pageOf(posts, where, (post) => pick(shown(post, account, deps), fields)))
  })
}

export function isListed({ details: kept }: LedgerPost, { clock }: StandInDeps): boolean {
  return Date.parse(details.parse(kept).listedAt) <= clock.now()
}
