import type { FastifyError } from 'fastify'
import { z } from 'zod'
import type { PlatformKey } from '../domain/platform.ts'
import { answer } from './generic/call.ts'
import { registerComments } from './generic/comments.ts'
import { registerMedia } from './generic/media.ts'
import { registerPosts } from './generic/posts.ts'
import { ACCESS_TOKEN_LIFETIME_MS, authenticate, issueTokens, refreshOwner, renewAccess } from './generic/tokens.ts'
import { decode, sendError } from './refusal.ts'
import type { StandIn } from './stand-in.ts'

const refreshBody = z.strictObject({ refreshToken: z.string().min(1) })

/**
 * The plain protocol, for every platform that has no stand-in of its own yet. Not idempotent on purpose: the same
 * `clientToken` twice makes two live posts, so that a double publish shows.
 */
export function genericStandIn(platform: PlatformKey): StandIn {
  return {
    platform,
    issueCredentials: issueTokens,
    register: (app, deps) => {
      app.removeContentTypeParser('text/plain')
      app.setErrorHandler<FastifyError>((error, _request, reply) => sendError(error, reply))

      app.get('/me', (request, reply) => {
        const { externalId, label } = authenticate(platform, request.headers.authorization, deps)
        return reply.send({ id: externalId, label })
      })
      app.post('/token/refresh', (request, reply) => {
        const { refreshToken } = decode(refreshBody, request.body)
        const account = refreshOwner(platform, refreshToken, deps)
        return answer(reply, 'refresh', account, deps, () => {
          const accessToken = renewAccess(account, deps)
          return { status: 200, body: { accessToken, refreshToken, expiresIn: ACCESS_TOKEN_LIFETIME_MS / 1_000 } }
        })
      })
      registerMedia(app, platform, deps)
      registerPosts(app, platform, deps)
      registerComments(app, platform, deps)
    },
  }
}
