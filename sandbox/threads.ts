import type { FastifyError } from 'fastify'
import type { StandIn } from './stand-in.ts'
import { containers } from './threads/containers.ts'
import { digits } from './threads/ids.ts'
import { registerListing } from './threads/listing.ts'
import { registerPosts } from './threads/posts.ts'
import { registerRefresh } from './threads/refresh.ts'
import { errorBody, sendError, type ThreadsRefusal } from './threads/refusal.ts'
import { issueTokens } from './threads/tokens.ts'

/**
 * The Threads API for publishing. What a test wants to go otherwise than usual it asks for by the media's URL: see
 * `threads/script.ts`.
 */
export const threadsStandIn: StandIn = {
  platform: 'threads',
  newExternalId: digits,
  issueCredentials: issueTokens,
  register: (app, deps) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    app.setErrorHandler<FastifyError | ThreadsRefusal>((error, _request, reply) => sendError(error, reply))
    app.setNotFoundHandler((_request, reply) =>
      reply.code(404).send(errorBody({ code: 2500, subcode: undefined, message: 'Unknown path components' })),
    )
    const all = containers(deps)
    registerRefresh(app, deps)
    registerPosts(app, all, deps)
    registerListing(app, deps)
  },
}
