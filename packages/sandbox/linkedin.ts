import type { FastifyInstance } from 'fastify'
import { registerActions } from './linkedin/actions.ts'
import { assets as openAssets } from './linkedin/assets.ts'
import { registerComments } from './linkedin/comments.ts'
import { AUTHOR, newOrganization } from './linkedin/identity.ts'
import { registerNotifications } from './linkedin/notifications.ts'
import { registerTokenEndpoint } from './linkedin/oauth.ts'
import { scopesOfProducts } from './linkedin/products.ts'
import { registerPeople } from './linkedin/people.ts'
import { registerPosts } from './linkedin/posts.ts'
import { refuse, unexpected } from './linkedin/refusal.ts'
import { registerSocialMetadata } from './linkedin/social-metadata.ts'
import { newComment } from './linkedin/thread.ts'
import { issueTokens } from './linkedin/tokens.ts'
import { registerUploads } from './linkedin/uploads.ts'
import { handleErrors } from './stand-in-refusal.ts'
import { mustBeAccountId } from './refusal.ts'
import type { StandIn } from './stand-in.ts'

/**
 * LinkedIn's Posts API for one author: images, videos, documents and posts, of a page (the default) or of a member, who may post but not
 * read; the comments on a page's posts, and posts of others that mention it. A member who consents is administrator of every
 * page, to an app with the Community Management API; to an app with the self-serve products they are a member only. It has the traits that matter to a publisher: monthly API versions, URNs in response headers, parts with ETags,
 * processing, text truncated at an unescaped character, and the refusal of duplicates within ten minutes.
 * An app that is not reviewed has the Development tier of the Community Management API.
 *
 * The last bytes of the media file may hold a directive:
 * - `sandbox=processing:5`: available after five looks (or five times 4 s); without it, after one;
 * - `sandbox=failed:too blurry`: processing fails, for this reason.
 */
export const linkedinStandIn: StandIn = {
  platform: 'linkedin',
  reviewsApps: true,
  newExternalId: (ids) => newOrganization(ids.token()),
  scopesOfProducts,
  issueCredentials: (externalId, deps) => {
    mustBeAccountId(externalId, AUTHOR, 'urn:li:organization:<number> or urn:li:person:<id>')
    return { ...issueTokens(externalId, deps), authorUrn: externalId }
  },
  newComment,
  register: (app, deps) => {
    app.removeAllContentTypeParsers()
    handleErrors(app, unexpected, () => refuse(404, 'RESOURCE_NOT_FOUND', 'No virtual resource found').answer)
    const assets = openAssets(deps)
    registerTokenEndpoint(app, deps)
    registerPeople(app, deps)
    registerUploads(app, assets, deps)
    registerNotifications(app, deps)
    registerSocialMetadata(app, deps)
    void app.register(async (scope: FastifyInstance) => {
      scope.addContentTypeParser(
        'application/json',
        { parseAs: 'string' },
        scope.getDefaultJsonParser('error', 'error'),
      )
      registerActions(scope, assets, deps)
      registerPosts(scope, assets, deps)
      registerComments(scope, deps)
    })
  },
}
