import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SignInFailure } from '../../infra/oidc/sign-in-failure.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { addressBlock } from '../http/client-address.ts'
import { answerPage, html } from '../http/page.ts'
import { TimedOut, type TimeLimit } from '../http/time-limit.ts'
import { identification } from './identify.ts'
import { NotSignedIn } from './not-signed-in.ts'
import type { DashboardServices } from './services.ts'
import { newSession } from './sign-in.ts'

export const SINGLE_SIGN_ON = '/single-sign-on'
/** A path of the page: browsers read `//` and `/\` as another host. */
const OWN_PATH = /^\/(?![/\\]|dashboard\/api)[\x21-\x5b\x5d-\x7e]{0,2000}$/

/** What a page that says why not offers. */
interface Retry {
  title: string
  at: string
}

/** Where the provider sends the browser back to. @param url of the service */
export function redirectUriOf(url: string): string {
  return `${url}/dashboard/api${SINGLE_SIGN_ON}/callback`
}

/**
 * Sign-in with OpenID Connect: the authorization code flow with a proof key. `GET /single-sign-on` says whether it is set up,
 * `/begin` leads to the provider, and `/callback` is where it sends the browser back to. None needs a session.
 *
 * The session cookie is `SameSite=Strict`, so the callback of another site does not bring it; the page that it leads to asks for
 * the session itself, which does.
 */
export function singleSignOn(
  app: FastifyInstance,
  services: DashboardServices,
  {
    limit,
    logger,
  }: {
    readonly limit: TimeLimit
    readonly logger: Logger
  },
): void {
  const { throttle, sessions, signOn, flows, flowCookie: cookie, url } = services
  const beginning = () => `${url()}/dashboard/api${SINGLE_SIGN_ON}/begin`

  app.get(SINGLE_SIGN_ON, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    // The whole URL: the provider leads back to this host, where the cookie has to be.
    const set = signOn && { name: signOn.name, url: beginning() }
    return { singleSignOn: set ?? null, requestId: request.id }
  })
  if (!signOn) return
  const { provider, name } = signOn
  const identify = identification(services, signOn)

  /** Leads to where `work` says, or answers a page that says why not, with a way to try again, which `work` may change. */
  const leading = (
    path: string,
    work: (request: FastifyRequest, reply: FastifyReply, retry: Retry) => Promise<string>,
  ) => {
    app.get(`${SINGLE_SIGN_ON}${path}`, async (request, reply) => {
      const retry = { title: 'Not signed in', at: beginning() }
      reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      try {
        return reply.redirect(await limit.keep(work(request, reply, retry)))
      } catch (error) {
        const reason = asReason(error)
        if (!reason) throw error
        const { kind, status, message } = reason
        const about = { kind, status, reason: message, issuer: provider.issuer, requestId: request.id }
        logger[status >= 500 ? 'warn' : 'info'](about, 'nobody was signed in by single sign-on')
        const body = html`<p>${reason.words(name)}</p>
          <p><a class="go" href="${retry.at}">Try again</a></p>
          <p><a href="${url()}/">Go to the dashboard</a></p>`
        return answerPage(reply, status, retry.title, body)
      }
    })
  }

  leading('/begin', async (request, reply) => {
    const { admitted } = await throttle.ofAddress(addressBlock(String(request.ip)))
    if (!admitted) throw new NotSignedIn('busy')
    const { to } = request.query as { readonly to?: unknown }
    const { token, secrets } = await flows.begin({ path: typeof to === 'string' && OWN_PATH.test(to) ? to : '/' })
    const there = await provider.begin(redirectUriOf(url()), secrets)
    reply.header('set-cookie', cookie.set(token))
    return there
  })

  leading('/callback', async (request, reply, retry) => {
    const answer = request.url.slice(request.url.indexOf('?') + 1)
    const flow = await flows.end(cookie.read(request) ?? '', new URLSearchParams(answer).get('state') ?? '')
    if (!flow) throw new NotSignedIn('expired')
    const { path, secrets, linking } = flow
    const there = `${url()}${path}`
    reply.header('set-cookie', cookie.clear())
    if (linking) Object.assign(retry, { title: 'Not linked', at: there })
    const claims = await provider.end(redirectUriOf(url()), answer, secrets)
    if (linking) {
      const { userId, sessionHash } = linking
      if (!(await sessions.lasting([sessionHash])).has(sessionHash)) throw new NotSignedIn('signed-out')
      await identify.link(claims, userId, request.id)
      return there
    }
    const user = await identify.userOf(claims, request.id)
    if (!(await newSession(services, request, reply, user))) throw new NotSignedIn('behind')
    logger.info({ userId: user.id, issuer: claims.issuer, requestId: request.id }, 'signed in by single sign-on')
    return there
  })
}

function asReason(error: unknown): NotSignedIn | undefined {
  if (error instanceof NotSignedIn) return error
  if (error instanceof SignInFailure) return new NotSignedIn(error.kind, error.message)
  return error instanceof TimedOut ? new NotSignedIn('unavailable', error.message) : undefined
}
