import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { fanOf, writtenIn } from './fans.ts'
import { shownPerson } from './people.ts'
import { decode } from './refusal.ts'
import { shownStatus } from './shown.ts'
import { authenticate } from './tokens.ts'

const types = z.enum(['mention', 'favourite', 'reblog', 'follow'])
const query = z.strictObject({
  limit: z.coerce.number().int().min(1).max(80).default(40),
  max_id: z.string().regex(/^\d+$/).optional(),
  'types[]': z.union([types, z.array(types)]).optional(),
})

/** What others write to the account. They do nothing else here. */
export function registerNotifications(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/api/v1/notifications', (request, reply) => {
    const account = authenticate(request, 'read:notifications', deps)
    const { limit, max_id: before, 'types[]': wanted = 'mention' } = decode(query, request.query)
    const page = [wanted].flat().includes('mention')
      ? deps.ledger
          .commentsOf('mastodon', account.externalId)
          .filter(({ id, writtenBy }) => writtenBy === 'fan' && (before === undefined || BigInt(id) < BigInt(before)))
          .toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? 1 : -1))
          .slice(0, limit)
      : []
    return reply.send(
      page.map((comment) => ({
        ...{ id: comment.id, type: 'mention', created_at: comment.createdAt },
        account: shownPerson(fanOf(comment.author)),
        status: shownStatus(writtenIn(comment, account), deps),
      })),
    )
  })
}
