import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { externalIdOf, personOf, shownPerson } from './people.ts'
import { decode, notFound } from './refusal.ts'
import { shownStatus, writtenBy } from './shown.ts'
import { authenticate } from './tokens.ts'

const flag = z.enum(['true', 'false']).optional()
const timeline = z.strictObject({
  limit: z.coerce.number().int().min(1).max(40).default(20),
  max_id: z.string().regex(/^\d+$/).optional(),
  exclude_reblogs: flag,
  exclude_replies: flag,
  only_media: flag,
})
type ById = { Params: { id: string } }

/** The account itself, and what it has posted. */
export function registerAccounts(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger } = deps

  app.get('/api/v1/accounts/verify_credentials', (request, reply) => {
    const account = authenticate(request, 'read:accounts', deps)
    const source = { privacy: 'public', sensitive: false, language: 'en' }
    return reply.send({ ...shownPerson(personOf(account)), source })
  })

  app.get<ById>('/api/v1/accounts/:id/statuses', (request, reply) => {
    const reader = authenticate(request, 'read:statuses', deps)
    const { limit, max_id: before, exclude_replies } = decode(timeline, request.query)
    const account = ledger.account('mastodon', externalIdOf(request.params.id))
    if (!account) throw notFound()
    const isOwn = account.externalId === reader.externalId
    const page = ledger
      .posts('mastodon', { accountId: account.externalId })
      .filter(({ id, isHidden, inReplyTo }) => {
        const isBefore = before === undefined || BigInt(id) < BigInt(before)
        return isBefore && (isOwn || !isHidden) && !(exclude_replies === 'true' && inReplyTo !== undefined)
      })
      .toReversed()
      .slice(0, limit)
    return reply.send(page.map((post) => shownStatus(writtenBy(account, post, deps), deps)))
  })
}
