import type { FastifyError, FastifyInstance } from 'fastify'
import { z } from 'zod'
import { answerGraph } from './instagram/answer.ts'
import { registerComments } from './instagram/comments.ts'
import { containers } from './instagram/containers.ts'
import { digits, pick } from './instagram/edges.ts'
import { registerMedia } from './instagram/media.ts'
import { registerPublishing } from './instagram/publishing.ts'
import { decode, GraphRefusal, graphError, sendGraphError } from './instagram/refusal.ts'
import { authenticate, issueTokens, renew, RENEWABLE_AFTER_MS, TOKEN_LIFETIME_MS } from './instagram/tokens.ts'
import type { StandIn, StandInDeps } from './stand-in.ts'

/** More than the 50 or 100 of the real one, so that no demonstration ends at it. */
const QUOTA = 100_000

const meQuery = z.strictObject({
  access_token: z.string().optional(),
  appsecret_proof: z.string().optional(),
  fields: z.string().optional(),
})
const refreshQuery = z.strictObject({
  grant_type: z.literal('ig_refresh_token'),
  access_token: z.string().optional(),
  appsecret_proof: z.string().optional(),
})

/**
 * Instagram's Graph API for posts and comments: both hosts in one, told apart by the token. An account has an Instagram
 * user token (`accessToken`) and one of its linked Page (`pageAccessToken`).
 *
 * The media are really fetched. Their URL may ask for more, in a query that no real one has, several by commas:
 * - `?sandbox=processing:5`: in progress for five looks at the container;
 * - `?sandbox=error:2207026`: the container fails with that subcode; `error:2207026:1`: only the first one of this URL;
 * - `?sandbox=create:2207052`, `create:2207052:1`: making the container is refused;
 * - `?sandbox=listed-after:10`: the published media is listed ten seconds later.
 *
 * @param options.quota how many posts an account may publish in 24 hours
 */
export function instagramStandInWith(options: { readonly quota: number }): StandIn {
  return {
    platform: 'instagram',
    newExternalId: (ids) => `17841${digits(12, ids)}`,
    issueCredentials: (externalId, deps) => ({ loginType: 'instagram', ...issueTokens(externalId, deps) }),
    register: (app, deps) => {
      takeForms(app)
      app.setErrorHandler<FastifyError | GraphRefusal>((error, _request, reply) => sendGraphError(error, reply))
      app.setNotFoundHandler((request, reply) => {
        const { status, body } = graphError({ code: 2500, message: `Unknown path components: ${request.url}` })
        return reply.code(status).send(body)
      })
      app.addHook('onSend', async (_request, reply) => {
        reply.header('x-app-usage', JSON.stringify({ call_count: 1, total_time: 1, total_cputime: 1 }))
      })
      const closing = new AbortController()
      app.addHook('preClose', async () => closing.abort())
      registerIdentity(app, deps)
      registerMedia(app, deps)
      registerPublishing(app, containers(deps, closing.signal), deps, options.quota)
      registerComments(app, deps)
    },
  }
}

export const instagramStandIn: StandIn = instagramStandInWith({ quota: QUOTA })

function registerIdentity(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/v26.0/me', (request, reply) => {
    const { account, kind } = authenticate(request, deps)
    const { fields } = decode(meQuery, request.query)
    const { externalId, label: username } = account
    const user = { id: `app-scoped-${externalId}`, user_id: externalId, username }
    const page = { id: `page-${externalId}`, name: username, instagram_business_account: { id: externalId, username } }
    return reply.send(pick(kind === 'accessToken' ? user : page, fields))
  })

  app.get('/refresh_access_token', (request, reply) => {
    const caller = authenticate(request, deps)
    decode(refreshQuery, request.query)
    if (caller.kind !== 'accessToken' || deps.clock.now() < caller.issuedAt + RENEWABLE_AFTER_MS) {
      throw new GraphRefusal({ code: 100, message: '(#100) This token can not be refreshed, or not yet' })
    }
    return answerGraph(reply, 'refresh', caller, deps, () => {
      return { access_token: renew(caller, deps), token_type: 'bearer', expires_in: TOKEN_LIFETIME_MS / 1_000 }
    })
  })
}

/** The Graph API takes parameters as a form or as JSON. */
function takeForms(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  const form = { parseAs: 'string', bodyLimit: 1_048_576 } as const
  app.addContentTypeParser('application/x-www-form-urlencoded', form, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
}
