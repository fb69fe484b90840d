import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { only } from './fields.ts'
import type { Photos } from './photos.ts'
import { decode, envelope } from './refusal.ts'
import { postScript, usernameOf } from './script.ts'
import { isPublic } from './tasks.ts'
import { authenticate } from './tokens.ts'

const fieldsQuery = z.strictObject({ fields: z.string().min(1) })
const listBody = z.strictObject({ max_count: z.int().min(1).max(20).default(10), cursor: z.int().min(0).default(0) })
const queryBody = z.strictObject({ filters: z.strictObject({ video_ids: z.array(z.string()).min(1).max(20) }) })

/** An account's public posts, newest first. They include photos, which TikTok does not guarantee. */
export function registerListing(app: FastifyInstance, photos: Photos, deps: StandInDeps): void {
  const listed = async (account: LedgerAccount): Promise<readonly LedgerPost[]> => {
    await photos.settled(account.externalId)
    return deps.ledger
      .posts('tiktok', { accountId: account.externalId })
      .filter((post) => isPublic(post) && postScript(post.caption).isListed)
      .toReversed()
  }

  app.post('/v2/video/list/', async (request, reply) => {
    const account = authenticate(request.headers.authorization, ['video.list'], deps)
    const { fields } = decode(fieldsQuery, request.query, 'invalid_params')
    const { max_count, cursor } = decode(listBody, request.body, 'invalid_params')
    const posts = await listed(account)
    const end = cursor + max_count
    const videos = posts.slice(cursor, end).map((post) => only(shown(post, account), fields))
    return reply.send(envelope({ videos, cursor: end, has_more: end < posts.length }))
  })

  app.post('/v2/video/query/', async (request, reply) => {
    const account = authenticate(request.headers.authorization, ['video.list'], deps)
    const { fields } = decode(fieldsQuery, request.query, 'invalid_params')
    const { video_ids } = decode(queryBody, request.body, 'invalid_params').filters
    const posts = (await listed(account)).filter(({ id }) => video_ids.includes(id))
    return reply.send(envelope({ videos: posts.map((post) => only(shown(post, account), fields)) }))
  })
}

function shown({ id, createdAt, caption, mediaType, details }: LedgerPost, { label }: LedgerAccount): object {
  const kind = mediaType === 'video' ? 'video' : 'photo'
  return {
    id,
    create_time: Math.floor(Date.parse(createdAt) / 1_000),
    title: details?.['title'] ?? '',
    video_description: caption,
    share_url: `https://www.tiktok.com/@${usernameOf(label)}/${kind}/${id}`,
    view_count: 0,
    like_count: 0,
    comment_count: 0,
    share_count: 0,
  }
}
