import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { LedgerPost } from '../ledger.ts'
import { pick } from '../meta/fields.ts'
import { decode } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { shown } from './shown.ts'
import { authenticateOwner, type ByUser } from './tokens.ts'

/** Threads has no posts from before its own first day. */
const FIRST_SECOND = 1_688_540_400

const time = z.coerce.number().int().min(FIRST_SECOND)
const cursor = z.string().regex(/^[A-Za-z0-9_-]+$/)
const query = z.strictObject({
  fields: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
  since: time.optional(),
  until: time.optional(),
  after: cursor.optional(),
})
const details = z.object({ listedAt: z.string() })

/** `GET /{user}/threads`: newest first. There are cursors, but no `next`; the end is an empty page. */
export function registerListing(app: FastifyInstance, deps: StandInDeps): void {
  app.get<ByUser>('/v1.0/:user/threads', (request, reply) => {
    const { account, parameters } = authenticateOwner(request, deps)
    const { fields, limit, since = FIRST_SECOND, until = Infinity, after } = decode(query, parameters)
    const posts = deps.ledger
      .posts('threads', { accountId: account.externalId })
      .filter(({ createdAt }) => Date.parse(createdAt) >= since * 1_000 && Date.parse(createdAt) <= until * 1_000)
      .filter((post) => isListed(post, deps))
      .toReversed()
    const from = after === undefined ? 0 : posts.findIndex(({ id }) => id === idOf(after)) + 1
    const page = posts.slice(from, from + limit)
    const [first, last] = [page[0], page.at(-1)]
    return reply.send({
      data: page.map((post) => pick(shown(post, account), fields)),
      ...(first && last && { paging: { cursors: { before: cursorOf(first), after: cursorOf(last) } } }),
    })
  })
}

function isListed({ details: kept }: LedgerPost, { clock }: StandInDeps): boolean {
  return Date.parse(details.parse(kept).listedAt) <= clock.now()
}

function cursorOf({ id }: LedgerPost): string {
  return Buffer.from(id).toString('base64url')
}

function idOf(after: string): string {
  return Buffer.from(after, 'base64url').toString()
}
