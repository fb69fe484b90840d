import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { PLATFORM_KEYS, POST_TYPES } from '../../domain/core/platform.ts'
import type { ControlDeps } from './control.ts'
import { decode, SandboxRefusal } from './refusal.ts'
import type { PastPost, StandIn, StandInDeps } from './stand-in.ts'

const MOST_POSTS = 200
const MOST_READINGS = 100

const pastPost = z.strictObject({
  caption: z.string().min(1).max(10_000),
  mediaUrl: z.string().max(2_000),
  mediaType: z.enum(POST_TYPES),
  createdAt: z.iso.datetime(),
  reach: z.number().positive().max(10),
  readAt: z.array(z.iso.datetime()).max(MOST_READINGS),
})
const newHistory = z.strictObject({
  platform: z.enum(PLATFORM_KEYS),
  accountId: z.string(),
  posts: z.array(pastPost).max(MOST_POSTS),
})

/** `POST /history`: posts of an account from before the sandbox was started, and what was reported of them since. */
export function registerHistory(app: FastifyInstance, deps: ControlDeps): void {
  app.post('/history', (request, reply) => {
    const { platform, accountId, posts } = decode(newHistory, request.body)
    const standIn = deps.standIns.get(platform)
    if (!standIn?.history) {
      throw new SandboxRefusal(400, 'invalid_request', `platform: ${platform} reports no numbers`)
    }
    if (!deps.ledger.account(platform, accountId)) {
      throw new SandboxRefusal(400, 'invalid_request', `accountId: no such account on ${platform}`)
    }
    const { history } = standIn
    const own = { ...deps, baseUrl: () => deps.baseUrl(platform) }
    const shown = posts.map(({ readAt, ...given }) => {
      const post = keptPost({ ...given, accountId }, { platform, history }, own)
      return { id: post.id, readings: readAt.map((at) => ({ at, metrics: history.countsAt(post, Date.parse(at)) })) }
    })
    return reply.code(201).send(shown)
  })
}

/** Adds the post, unless an earlier request has: an account has one at a time. */
function keptPost(
  given: PastPost,
  { platform, history }: Required<Pick<StandIn, 'platform' | 'history'>>,
  deps: StandInDeps,
) {
  const { accountId, createdAt } = given
  const known = deps.ledger.posts(platform, { accountId }).find((post) => post.createdAt === createdAt)
  if (known) return known
  const post = { ...given, ...history.identify(given, deps), platform }
  deps.ledger.addPost(post)
  return post
}
