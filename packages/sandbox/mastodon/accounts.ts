import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { accountCounts } from './counts.ts'
import { writtenIn } from './fans.ts'
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
    return answer(reply, 'metrics', account, deps, () => ({
      ...shownPerson(personOf(account), accountCounts(account, deps)),
      source,
    }))
  })

  app.get<ById>('/api/v1/accounts/:id/statuses', (request, reply) => {
    const reader = authenticate(request, 'read:statuses', deps)
    const { limit, max_id: before, exclude_replies } = decode(timeline, request.query)
    const account = ledger.account('mastodon', externalIdOf(request.params.id))
    if (!account) throw notFound()
    const isOwn = account.externalId === reader.externalId
    const posts = ledger.posts('mastodon', { accountId: account.externalId }).map((post) => ({
      isHidden: post.isHidden ?? false,
      written: writtenBy(account, post, deps),
    }))
    const replies = ledger
      .commentsOf('mastodon', account.externalId)
      .filter(({ writtenBy: by }) => by === 'account')
      .map((comment) => ({ isHidden: false, written: writtenIn(comment, account) }))
    const page = [...posts, ...replies]
      .filter(({ isHidden, written: { id, inReplyTo } }) => {
        const isBefore = before === undefined || BigInt(id) < BigInt(before)
        return isBefore && (isOwn || !isHidden) && !(exclude_replies === 'true' && inReplyTo !== undefined)
      })
      .toSorted(({ written: one }, { written: other }) => (BigInt(one.id) < BigInt(other.id) ? 1 : -1))
      .slice(0, limit)
    return reply.send(page.map(({ written }) => shownStatus(written, deps)))
  })
}
