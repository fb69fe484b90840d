import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { PlatformKey } from '../../domain/platform.ts'
import { isoTime } from '../../system/clock.ts'
import type { LedgerPost } from '../ledger.ts'
import { decode, SandboxRefusal } from '../refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './call.ts'
import { name, text, type ById } from './fields.ts'
import { authenticate } from './tokens.ts'

const newPost = z.strictObject({ clientToken: name, mediaId: name, text, createdAt: z.iso.datetime() })
const search = z.strictObject({ clientToken: name })

/** `POST /posts`, `GET /posts?clientToken=`, and `GET /posts/{id}`, the permalink, which asks for no token. */
export function registerPosts(app: FastifyInstance, platform: PlatformKey, deps: StandInDeps): void {
  const { ledger, ids, clock } = deps
  const shown = ({ id, createdAt }: LedgerPost) => ({ id, url: `${deps.baseUrl()}/posts/${id}`, createdAt })

  app.post('/posts', (request, reply) => {
    const account = authenticate(platform, request.headers.authorization, deps)
    const given = decode(newPost, request.body)
    const media = ledger.media(platform, given.mediaId)
    if (media?.accountId !== account.externalId) {
      throw new SandboxRefusal(400, 'unknown_media', 'mediaId: no such media of this account')
    }
    return answer(reply, 'publish', account, deps, () => {
      const post: LedgerPost = {
        id: ids.token(),
        platform,
        accountId: account.externalId,
        token: given.clientToken,
        caption: given.text,
        mediaUrl: media.sourceUrl ?? `${deps.baseUrl()}/media/${media.id}`,
        mediaType: media.mediaType,
        createdAt: isoTime(clock.now()),
        details: { mediaId: media.id, statedAt: given.createdAt },
      }
      ledger.addPost(post)
      return { status: 201, body: shown(post) }
    })
  })

  app.get('/posts', (request, reply) => {
    const { externalId } = authenticate(platform, request.headers.authorization, deps)
    const { clientToken } = decode(search, request.query, 'query')
    return reply.send({ posts: ledger.posts(platform, { accountId: externalId, token: clientToken }).map(shown) })
  })

  app.get<ById>('/posts/:id', (request, reply) => {
    const post = ledger.post(platform, request.params.id)
    if (!post) throw new SandboxRefusal(404, 'not_found', 'no such post')
    const { caption, mediaUrl, mediaType } = post
    return reply.send({ ...shown(post), text: caption, mediaUrl, mediaType })
  })
}
