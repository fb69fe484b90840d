import type { FastifyError } from 'fastify'
import { LOCATION, newLocation, placeOf } from './googlebusiness/places.ts'
import { registerPlaces } from './googlebusiness/places-routes.ts'
import { registerPosts } from './googlebusiness/posts.ts'
import { sendGoogleError, type GoogleRefusal } from './googlebusiness/refusal.ts'
import { registerGoogleOAuth } from './google/oauth.ts'
import { issueTokens } from './google/tokens.ts'
import { SandboxRefusal } from './refusal.ts'
import type { StandIn } from './stand-in.ts'

/**
 * Google's Business Profile APIs for local posts, all under one host: accounts, locations, posts, consent and the token endpoint.
 * An account here is a location. `googlebusiness/script.ts` lists what a test can ask for through the image's URL.
 */
export const googlebusinessStandIn: StandIn = {
  platform: 'googlebusiness',
  newExternalId: newLocation,
  issueCredentials: (externalId, deps) => {
    if (!LOCATION.test(externalId)) {
      throw new SandboxRefusal(400, 'invalid_request', 'externalId: must be locations/ followed by at most 20 digits')
    }
    return { location: placeOf(externalId), ...issueTokens(externalId, deps) }
  },
  register: (app, deps) => {
    app.removeContentTypeParser('text/plain')
    app.setErrorHandler<FastifyError | GoogleRefusal>((error, _request, reply) => sendGoogleError(error, reply))
    // Google's front end answers unknown paths with an HTML page, before they reach an API.
    app.setNotFoundHandler((_request, reply) =>
      reply.code(404).type('text/html; charset=UTF-8').send('<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>'),
    )
    registerGoogleOAuth(app, 'googlebusiness', ['https://www.googleapis.com/auth/business.manage'], deps)
    registerPlaces(app, deps)
    registerPosts(app, deps)
  },
}
