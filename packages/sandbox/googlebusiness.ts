import { LOCATION, newLocation, placeOf } from './googlebusiness/places.ts'
import { registerPlaces } from './googlebusiness/places-routes.ts'
import { registerPosts } from './googlebusiness/posts.ts'
import { NAMED, unexpected } from './googlebusiness/refusal.ts'
import { registerGoogleOAuth } from './google/oauth.ts'
import { issueTokens } from './google/tokens.ts'
import { handleErrors } from './stand-in-refusal.ts'
import { mustBeAccountId } from './refusal.ts'
import type { StandIn } from './stand-in.ts'

/**
 * Google's Business Profile APIs for local posts, all under one host: accounts, locations, posts, consent and the token endpoint.
 * An account here is a location. A project that is not reviewed has a quota of 0. `googlebusiness/script.ts` lists what a test can ask for through the image's URL.
 */
export const googlebusinessStandIn: StandIn = {
  platform: 'googlebusiness',
  reviewsApps: true,
  newExternalId: newLocation,
  issueCredentials: (externalId, deps) => {
    mustBeAccountId(externalId, LOCATION, 'locations/ followed by at most 20 digits')
    return { location: placeOf(externalId), ...issueTokens(externalId, deps) }
  },
  register: (app, deps) => {
    app.removeContentTypeParser('text/plain')
    handleErrors(app, unexpected, () => NAMED.method.answer)
    registerGoogleOAuth(app, 'googlebusiness', ['https://www.googleapis.com/auth/business.manage'], deps)
    registerPlaces(app, deps)
    registerPosts(app, deps)
  },
}
