import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { decode, forbidden } from './refusal.ts'
import { authenticate } from './tokens.ts'

/** How the stand-in calls what X renamed in August 2026; a parameter of the other family is refused. */
export type Naming = 'old' | 'new'
const FIELDS: Readonly<Record<Naming, string>> = { old: 'tweet.fields', new: 'post.fields' }

const details = z.object({ mediaKey: z.string() })

/** `GET /2/users/{id}/tweets`: the account's own posts, newest first. */
export function registerTimeline(app: FastifyInstance, naming: Naming, deps: StandInDeps): void {
  const query = z.strictObject({
    max_results: z.coerce.number().int().min(5).max(100).default(10),
    start_time: z.iso.datetime().optional(),
    pagination_token: z.string().regex(/^\d+$/).optional(),
    [FIELDS[naming]]: z.string().optional(),
    expansions: z.literal('attachments.media_keys').optional(),
  })

  app.get<{ Params: { id: string } }>('/2/users/:id/tweets', (request, reply) => {
    const { externalId } = authenticate(request.headers.authorization, deps)
    if (externalId !== request.params.id) throw forbidden('The sandbox shows an account its own posts only.')
    const asked = decode(query, request.query)
    const count = Number(asked['max_results'])
    const since = Date.parse(String(asked['start_time'] ?? '1970-01-01'))
    const skip = Number(asked['pagination_token'] ?? 0)
    const withMedia = String(asked[FIELDS[naming]] ?? '')
      .split(',')
      .includes('attachments')
    const posts = deps.ledger
      .posts('x', { accountId: externalId })
      .filter(({ createdAt }) => Date.parse(createdAt) >= since)
      .toReversed()
    const page = posts.slice(skip, skip + count)
    const next = skip + count < posts.length ? { next_token: String(skip + count) } : {}
    const meta = { result_count: page.length, ...next }
    if (page.length === 0) return reply.send({ meta })
    return reply.send({ data: page.map((post) => shown(post, withMedia)), meta })
  })
}

function shown({ id, caption, createdAt, details: kept }: LedgerPost, withMedia: boolean): object {
  const { mediaKey } = details.parse(kept)
  return { id, text: caption, created_at: createdAt, ...(withMedia && { attachments: { media_keys: [mediaKey] } }) }
}
