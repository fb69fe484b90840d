import type { FastifyInstance } from 'fastify'
import { registerConsent, type Codes } from './consent.ts'
import { handleErrors } from './stand-in-refusal.ts'
import { mustBeAccountId } from './refusal.ts'
import type { StandIn, StandInDeps } from './stand-in.ts'
import type { Naming } from './x/fields.ts'
import { addBodyParsers } from './x/form.ts'
import { countsOf } from './x/counts.ts'
import { isPost, snowflakes } from './x/ids.ts'
import { reportLimits } from './x/limits.ts'
import { registerMedia } from './x/media.ts'
import { registerLookup } from './x/lookup.ts'
import { registerUsers } from './x/lookup-users.ts'
import { registerRevocation, registerTokens } from './x/oauth.ts'
import { registerPosts } from './x/posts.ts'
import { notFound, unexpected } from './x/refusal.ts'
import { registerTimeline } from './x/timeline.ts'
import { issueTokens, SCOPES } from './x/tokens.ts'
import type { UploadShelf } from './x/upload-sessions.ts'

/*
 * X's API v2 for posts with images, an animated GIF or a video, for mentions and replies to them, and for the counts of posts
 * and users. It deliberately differs from X in two points: calls are not rate limited, and the same text may be posted again, so that
 * a double publish shows as two posts. An app that is not reviewed is not enrolled for the API, and gets nothing but tokens. The fault `metrics` applies to every call that returns counts.
 *
 * Directives, in places that no real caller uses:
 * - media that end with `sandbox=processing:5` (looks for which a video is processed; 1 without it), `sandbox=error:InvalidMedia`
 *   (its processing fails), `sandbox=duplicate` (a post is refused when the account has posted its text before) or
 *   `sandbox=no-credits` (the app cannot pay for the post);
 * - a base URL that ends with `/sandbox=new-names`: parameters have the names of August 2026;
 * - an account whose label begins with `premium`: long posts;
 * - one whose label contains `read-only`: an app that is not reviewed is enrolled, but with the permission "Read";
 * - any username of up to 12 characters: a stranger who posts occasionally. Names beginning with `nobody` do not exist; names
 *   beginning with `gone` resolve by name, but not by id.
 */

const NEW_NAMES = '/sandbox=new-names'

/** X, as its connector sees it. */
export const xStandIn: StandIn = {
  platform: 'x',
  reviewsApps: true,
  newExternalId: (ids) => String(BigInt(`0x${ids.token().replaceAll('-', '').slice(0, 14)}`)),
  issueCredentials: (externalId, deps) => {
    mustBeAccountId(externalId, /^\d{1,19}$/, 'up to 19 digits')
    return { ...issueTokens(externalId, deps), clientId: `app-${externalId}`, clientSecret: deps.ids.token() }
  },
  newComment: (_given, { clock, ledger }) => ({ id: snowflakes(clock)((id) => isPost(id, ledger)) }),
  history: {
    identify: ({ createdAt }, { ledger }) => ({
      id: snowflakes({ now: () => Date.parse(createdAt) })((id) => isPost(id, ledger)),
      details: {},
    }),
    countsAt: ({ id, createdAt, reach }, time) => countsOf(id, time - Date.parse(createdAt), 0, reach),
  },
  register: (app, deps) => {
    addBodyParsers(app)
    reportLimits(app, new Map(), deps)
    handleErrors(app, unexpected, ({ method, url }) => {
      const path = url.replace(/^\/x(?:\/sandbox=[\w-]+)?/, '').replace(/\?.*/, '')
      return notFound(`The sandbox does not have ${method} ${path}.`).answer
    })
    const codes = registerConsent(app, deps, {
      platform: 'x',
      path: '/i/oauth2/authorize',
      scopes: SCOPES,
      scopeSeparator: ' ',
      proofKey: true,
    })
    const shelf: UploadShelf = { uploads: new Map(), directives: new Map(), newId: snowflakes(deps.clock) }
    registerApi(app, 'old', shelf, codes, deps)
    void app.register(async (scope) => registerApi(scope, 'new', shelf, codes, deps), { prefix: NEW_NAMES })
  },
}

function registerApi(app: FastifyInstance, naming: Naming, shelf: UploadShelf, codes: Codes, deps: StandInDeps): void {
  registerTokens(app, codes, deps)
  registerRevocation(app, deps)
  registerMedia(app, shelf, deps)
  registerPosts(app, shelf, deps)
  registerTimeline(app, naming, deps)
  registerLookup(app, naming, deps)
  registerUsers(app, naming, deps)
}
