import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { answer } from './instagram/answer.ts'
import { registerComments } from './instagram/comments.ts'
import { instagramContainers } from './instagram/containers.ts'
import { linkedPage, personOf, registerPageLogin } from './instagram/facebook-login.ts'
import { COMMENT, newId } from './instagram/ids.ts'
import { registerLogin } from './instagram/login.ts'
import { registerMedia } from './instagram/media.ts'
import { registerPublishing } from './instagram/publishing.ts'
import { appScopedId, authenticate, issueTokens, renew } from './instagram/tokens.ts'
import { digits } from './meta/digits.ts'
import { runBy } from './meta/facebook-login.ts'
import { pick } from './meta/fields.ts'
import { decode, graphRefusal, refuseAsGraph } from './meta/refusal.ts'
import { signedRequestCall, withoutTokens } from './meta/signed-request.ts'
import { reportUsage } from './meta/usage.ts'
import { reportVersion, withoutVersion } from './meta/versions.ts'
import { takeMultipartForms } from './form-body.ts'
import { isRenewable, renewedBody } from './meta/token.ts'
import type { StandIn, StandInDeps } from './stand-in.ts'

/** Far above the real limit of 50 or 100, so that no demo hits it. */
const QUOTA = 100_000

const meQuery = z.strictObject({ fields: z.string().optional() })
const refreshQuery = z.strictObject({ grant_type: z.literal('ig_refresh_token') })

/**
 * Instagram's Graph API for posts and comments, and its login: all hosts in one, distinguished by the token. An account has an
 * Instagram user token (`accessToken`) and a token of its linked Page (`pageAccessToken`); the person who logs in with Facebook runs the
 * Pages of all accounts. An account whose label contains `unlinked` is not linked to its Page. A Page whose label begins with
 * `portfolio` or `client` is in their business portfolio, as in the stand-in of Facebook.
 *
 * Media are really fetched. The query of a media URL may hold directives, separated by commas:
 * - `?sandbox=processing:5`: in progress for five looks at the container;
 * - `?sandbox=error:2207026`: the container fails with that subcode; `error:2207026:1`: only the first one of this URL;
 * - `?sandbox=create:2207052`, `create:2207052:1`: creating the container is refused;
 * - `?sandbox=listed-after:10`: the published media is listed ten seconds later.
 *
 * An app that is not reviewed has no advanced access: comments by others are counted, but not listed.
 *
 * @param options.quota how many posts an account may publish in 24 hours
 */
export function instagramStandInWith(options: { readonly quota: number }): StandIn {
  return {
    platform: 'instagram',
    reviewsApps: true,
    rewriteUrl: withoutVersion,
    newExternalId: (ids) => `17841${digits(12, ids)}`,
    newComment: (_given, { ids }) => ({ id: newId(COMMENT, ids) }),
    issueCredentials: (externalId, deps) => ({ loginType: 'instagram', ...issueTokens(externalId, deps) }),
    removeApp: (account, deps) => {
      // The app that was authorized last: Instagram's, or that of a login with Facebook.
      const viaFacebook = deps.ledger.app('facebook', account.secrets['clientId'] ?? '') !== undefined
      for (const one of viaFacebook ? runBy(account, deps) : [account]) withoutTokens(one, deps)
      return signedRequestCall(viaFacebook ? personOf(account) : appScopedId(account), account, deps)
    },
    register: (app, deps) => {
      // Parameters may also come as JSON.
      app.removeContentTypeParser('text/plain')
      takeMultipartForms(app)
      refuseAsGraph(app, { status: 400 })
      reportUsage(app)
      reportVersion(app)
      registerIdentity(app, deps)
      registerLogin(app, deps)
      registerPageLogin(app, deps)
      registerMedia(app, deps)
      registerPublishing(app, instagramContainers(app, deps), deps, options.quota)
      registerComments(app, deps)
    },
  }
}

export const instagramStandIn: StandIn = instagramStandInWith({ quota: QUOTA })

function registerIdentity(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/v26.0/me', (request, reply) => {
    const { account, kind, parameters } = authenticate(request, deps)
    const { fields } = decode(meQuery, parameters)
    const { externalId, label: username } = account
    if (kind === 'userToken') return reply.send(pick({ id: personOf(account), name: `Owner of ${username}` }, fields))
    const user = { id: appScopedId(account), user_id: externalId, username }
    return reply.send(pick(kind === 'accessToken' ? user : linkedPage(account), fields))
  })

  app.get('/refresh_access_token', (request, reply) => {
    const caller = authenticate(request, deps)
    decode(refreshQuery, caller.parameters)
    if (caller.kind !== 'accessToken' || !isRenewable(caller, deps)) {
      throw graphRefusal({ code: 100, message: '(#100) This token cannot be refreshed, or not yet' })
    }
    return answer(reply, 'refresh', caller, deps, () => renewedBody(renew(caller, deps)))
  })
}
