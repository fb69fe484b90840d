import { handleErrors } from './stand-in-refusal.ts'
import type { StandIn } from './stand-in.ts'
import { registerCreator } from './tiktok/creator.ts'
import { scriptedFailures } from './tiktok/failures.ts'
import { digits } from './tiktok/ids.ts'
import { registerInit } from './tiktok/init.ts'
import { registerListing } from './tiktok/listing.ts'
import { registerTokenEndpoint } from './tiktok/oauth.ts'
import { photosOf } from './tiktok/photos.ts'
import { envelope, unexpected } from './tiktok/refusal.ts'
import { registerStatus } from './tiktok/status.ts'
import { tokens } from './tiktok/tokens.ts'
import { webhookCall } from './tiktok/webhook.ts'
import { registerUpload } from './tiktok/upload-route.ts'
import { uploadsOf } from './tiktok/uploads.ts'

/** Far above the real limit of 6, so that no demo hits it. */
const INITS_A_MINUTE = 100_000

/**
 * TikTok's Content Posting API for direct posts and uploads to the inbox: API, consent page, token endpoint and upload host in one.
 * Images are really fetched, from verified domains and URL prefixes only (`Ledger.verifiedUrls`). An app that has not been reviewed, TikTok's audit, may post only
 * `SELF_ONLY` from private accounts, of at most 5 in 24 hours. A test can put directives into the caption:
 *
 * - `[sandbox refuse=spam_risk]`: the post is refused with this code;
 * - `[sandbox processing=5]`: looks for which the post is processed (default 1);
 * - `[sandbox fail=internal]`: it fails for this reason; `fail=internal:1`: only the first post with this directive;
 * - `[sandbox listed=no]`: it is live, but not listed;
 *
 * or into the label of the account:
 *
 * - `[sandbox account=private]`: none of its posts can be public;
 * - `[sandbox comments=off]`: its owner has disabled comments;
 * - `[sandbox inbox=posted]`: its owner publishes each upload as soon as it arrives in the inbox;
 * - `[sandbox seconds=3]`: the longest video that it may post;
 * - `[sandbox creator=spam_risk_too_many_posts]`: creator queries answer with this code and status 200.
 *
 * @param options.initsAMinute how many posts an account may start per minute
 */
export function tiktokStandInWith(options: { readonly initsAMinute: number }): StandIn {
  return {
    platform: 'tiktok',
    reviewsApps: true,
    verifiesUrls: true,
    newExternalId: (ids) => ids.token(),
    issueCredentials: (externalId, deps) => ({
      ...tokens.issue(externalId, deps),
      clientId: `aw${digits(deps.ids)}`,
      clientSecret: deps.ids.token(),
      privacyLevel: 'PUBLIC_TO_EVERYONE',
    }),
    removeApp: (account, deps) => {
      deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken: '', refreshToken: '' } })
      return webhookCall('authorization.removed', { reason: 1 }, account, deps)
    },
    register: (app, deps) => {
      app.removeContentTypeParser('text/plain')
      const unknownPath = envelope({}, 'invalid_params', 'Unsupported path.')
      handleErrors(app, unexpected, () => ({ status: 404, body: unknownPath }))
      const failures = scriptedFailures()
      const photos = photosOf(deps, failures)
      const uploads = uploadsOf(deps, failures)
      app.addHook('onClose', () => photos.close())
      registerTokenEndpoint(app, deps)
      registerCreator(app, deps)
      registerInit(app, photos, options.initsAMinute, deps)
      registerUpload(app, uploads, deps)
      registerStatus(app, photos, uploads, deps)
      registerListing(app, photos, deps)

      app.get<{ Params: { id: string } }>('/media/:id', (request, reply) => {
        const media = deps.ledger.media('tiktok', request.params.id)
        if (!media || media.sha256 === '') return reply.callNotFound()
        const { mediaType, mimeType, bytes, sha256 } = media
        return reply.send({ mediaType, mimeType, bytes, sha256 })
      })
    },
  }
}

export const tiktokStandIn: StandIn = tiktokStandInWith({ initsAMinute: INITS_A_MINUTE })
