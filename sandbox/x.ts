import type { FastifyError, FastifyInstance } from 'fastify'
import { z } from 'zod'
import { registerConsent, type Codes } from './consent.ts'
import { SandboxRefusal } from './refusal.ts'
import type { StandIn, StandInDeps } from './stand-in.ts'
import type { Naming } from './x/fields.ts'
import { addFormParsers } from './x/form.ts'
import { isPost, snowflakes } from './x/ids.ts'
import { registerMedia, type UploadShelf } from './x/media.ts'
import { isPremium, registerPosts } from './x/posts.ts'
import { decode, notFound, sendRefusal, type XRefusal } from './x/refusal.ts'
import { registerTimeline } from './x/timeline.ts'
import { authenticate, issueTokens, registerTokens, SCOPES } from './x/tokens.ts'
import { ownerOf } from './x/users.ts'

/*
 * X's API v2 for posts with one image, animated GIF or video, for mentions and for replies to them. It differs from X in
 * two things on purpose: no limit of calls is counted, and the same text may be posted again, so that a double publish shows
 * as two posts.
 *
 * More can be asked of it by what a real caller would not send:
 * - media that end with `sandbox=processing:5` (looks that find a video still at work; 1 without), with
 *   `sandbox=error:InvalidMedia` (its processing fails), `sandbox=duplicate` (a post of a text that the account has
 *   posted is refused) or `sandbox=no-credits` (the app can't pay for the post);
 * - a base URL that ends with `/sandbox=new-names`: parameters have the names of August 2026;
 * - an account whose label begins with `premium`: long posts.
 */

const NEW_NAMES = '/sandbox=new-names'

const meQuery = z.strictObject({ 'user.fields': z.string().optional() })

/** X as seen by its connector. */
export const xStandIn: StandIn = {
  platform: 'x',
  newExternalId: (ids) => String(BigInt(`0x${ids.token().replaceAll('-', '').slice(0, 14)}`)),
  issueCredentials: (externalId, deps) => {
    if (!/^\d{1,19}$/.test(externalId)) {
      throw new SandboxRefusal(400, 'invalid_request', 'externalId: up to 19 digits')
    }
    return { ...issueTokens(externalId, deps), clientId: `app-${externalId}`, clientSecret: deps.ids.token() }
  },
  newComment: (_given, { clock, ledger }) => ({ id: snowflakes(clock)((id) => isPost(id, ledger)) }),
  register: (app, deps) => {
    app.removeContentTypeParser('text/plain')
    addFormParsers(app)
    app.setErrorHandler<FastifyError | XRefusal>((error, _request, reply) => sendRefusal(error, reply))
    app.setNotFoundHandler((_request, reply) => sendRefusal(notFound('Not Found'), reply))
    const codes = registerConsent(app, deps, {
      platform: 'x',
      path: '/i/oauth2/authorize',
      clientIdName: 'client_id',
      scopes: SCOPES,
      scopeSeparator: ' ',
      proofKey: true,
    })
    const shelf: UploadShelf = { uploads: new Map(), wishes: new Map(), newId: snowflakes(deps.clock) }
    registerApi(app, 'old', shelf, codes, deps)
    void app.register(async (scope) => registerApi(scope, 'new', shelf, codes, deps), { prefix: NEW_NAMES })
  },
}

function registerApi(app: FastifyInstance, naming: Naming, shelf: UploadShelf, codes: Codes, deps: StandInDeps): void {
  registerTokens(app, codes, deps)
  registerMedia(app, shelf, deps)
  registerPosts(app, shelf, deps)
  registerTimeline(app, naming, deps)

  app.get('/2/users/me', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { 'user.fields': fields = '' } = decode(meQuery, request.query)
    const subscription = { subscription_type: isPremium(account) ? 'Premium' : 'None' }
    const shown = fields.split(',').includes('subscription_type') ? subscription : {}
    return reply.send({ data: { ...ownerOf(account), ...shown } })
  })
}
