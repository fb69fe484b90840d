import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { decode } from './refusal.ts'
import { mustHaveStandardTier } from './scopes.ts'
import { callerOf, mayRead, mustBe, mustBeEncoded, mustBePages } from './request.ts'

const RESOURCE = 'socialMetadata.BATCH_GET'
const query = z.strictObject({ ids: z.string().regex(/^List\(urn:li:\w+:\d+(?:,urn:li:\w+:\d+)*\)$/) })

/** Comment counts of posts. */
export function registerSocialMetadata(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/rest/socialMetadata', (request, reply) => {
    const caller = callerOf(request, deps)
    mustBeEncoded(request)
    mustHaveStandardTier('SocialMetadata', deps)
    mayRead(caller, RESOURCE)
    const urns = decode(query, request.query).ids.slice('List('.length, -1).split(',')
    const found = urns.flatMap((urn) => {
      const post = deps.ledger.post('linkedin', urn)
      if (!post) return []
      mustBe(caller, post.accountId, 'ids', deps)
      mustBePages(post.accountId, RESOURCE)
      const comments = deps.ledger.commentsUnder('linkedin', urn)
      const topLevelCount = comments.filter(({ inReplyTo }) => inReplyTo === undefined).length
      const commentSummary = { count: comments.length, topLevelCount }
      return [[urn, { entity: urn, commentsState: 'OPEN', commentSummary, reactionSummaries: {} }] as const]
    })
    const results = Object.fromEntries(found)
    const statuses = Object.fromEntries(urns.map((urn) => [urn, results[urn] ? 200 : 404]))
    return reply.send({ results, statuses, errors: {} })
  })
}
