import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type {
  AccountAuthorization,
  ConsentOption,
  Settled,
  TokenOf,
} from '../../domain/account/account-authorization.ts'
import { CAPABILITIES, CAPABILITY_NAMES, type Capability } from '../../domain/account/capability.ts'
import { PLATFORM_KEYS, PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { trimEnd } from '../../infra/runtime/trim-end.ts'
import { toApiError } from '../http/error-answer.ts'
import { otherMethods } from '../http/methods.ts'
import { answerPage, html, type Html } from '../http/page.ts'
import { check } from '../http/validation.ts'

const COOKIE = 'fanfare_'
/** Seconds. Not shorter than an authorization stays open. */
const COOKIE_LIFETIME_S = 900
/** The dashboard's page. */
const ACCOUNTS_PAGE = '/accounts'
const word = z.string().min(1).max(4_000)

const path = z.object({ platform: z.enum(PLATFORM_KEYS) })
const openQuery = z.object({ ticket: word })
/** Some platforms send unused parameters empty. */
const wordIfAny = z
  .string()
  .max(4_000)
  .transform((value) => (value === '' ? undefined : value))
  .optional()
const answerQuery = z.object({ state: word, code: wordIfAny, error: wordIfAny, error_description: wordIfAny })
const checkbox = z.literal('on').optional()
const allowForm = z.object({
  ticket: word,
  ...(Object.fromEntries(CAPABILITIES.map((each) => [each, checkbox])) as Record<Capability, typeof checkbox>),
})
const choice = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number)
/** `choice` is repeated for several accounts. */
const choiceForm = z.object({ ticket: word, choice: z.union([choice, z.array(choice).max(1_000)]).default([]) })

/**
 * `/connect/<platform>`: where an account's owner starts, and where the platform redirects the browser. These are pages for
 * people, so errors are pages too.
 *
 * @param publicUrl how browsers reach the service
 */
export function connectRoutes(
  app: FastifyInstance,
  {
    authorization,
    logger,
    seen,
    publicUrl,
  }: {
    authorization: AccountAuthorization
    logger: Logger
    seen: Pick<Seen, 'waitFor'>
    publicUrl: string | undefined
  },
): void {
  const secure = publicUrl?.startsWith('https:') ?? false
  // A proxy may serve the service below a path.
  const base = publicUrl === undefined ? '' : trimEnd(new URL(publicUrl).pathname, /^\/$/)
  app.setErrorHandler((error, request, reply) => {
    const { status, message } = toApiError(error)
    if (status >= 500) logger.error({ err: error, requestId: request.id }, 'a page failed')
    return answerPage(reply, status, 'Not connected', html`<p>${message}</p>`)
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => {
      const given = new URLSearchParams(body)
      const all = [...given.keys()].map((name) => [name, given.getAll(name)] as const)
      return Object.fromEntries(all.map(([name, values]) => [name, values.length > 1 ? values : values[0]]))
    },
  )

  const end = async (reply: FastifyReply, platform: PlatformKey, settled: Settled) => {
    // The page that the browser opens next lists the account.
    if (settled.outcome === 'connected' && settled.position !== undefined) await seen.waitFor(settled.position)
    return settledPage(reply, base, platform, settled)
  }

  app.get('/connect/:platform', async (request, reply) => {
    const { platform } = check(path, request.params, 'path')
    const { ticket } = check(openQuery, request.query, 'query')
    const { workspace, options, browser } = await authorization.open(platform, ticket)
    const cookie = [
      `${COOKIE}${browser.name}=${browser.token}`,
      `Path=${base}/connect`,
      `Max-Age=${COOKIE_LIFETIME_S}`,
      'HttpOnly',
      // Sent when the platform redirects back, but not when another site posts a form.
      'SameSite=Lax',
      ...(secure ? ['Secure'] : []),
    ]
    reply.header('set-cookie', cookie.join('; '))
    const name = PLATFORM_NAMES[platform]
    const body = html`<p>You are about to give <b>${workspace}</b> access to your ${name} account.</p>
      <form method="post" action="${base}/connect/${platform}/consent">
        <input type="hidden" name="ticket" value="${ticket}" />${options.map(shownOption)}
        <p><button>Continue to ${name}</button></p>
      </form>
      <p>If you did not request this, close this window.</p>`
    return answerPage(reply, 200, `Connect ${name}`, body)
  })

  app.post('/connect/:platform/consent', async (request, reply) => {
    const { platform } = check(path, request.params, 'path')
    const { ticket, ...checked } = check(allowForm, request.body, 'body')
    const capabilities = CAPABILITIES.filter((each) => checked[each])
    const consentUrl = await authorization.allowed(platform, ticket, capabilities, cookies(request))
    const name = PLATFORM_NAMES[platform]
    // Not a redirect: the content security policy lets a form lead to no other site, not even by way of one.
    reply.header('refresh', `0; url=${consentUrl}`)
    const body = html`<p><a class="go" rel="noreferrer" href="${consentUrl}">Continue to ${name}</a></p>`
    return answerPage(reply, 200, `Connect ${name}`, body)
  })

  app.get('/connect/:platform/callback', async (request, reply) => {
    const { platform } = check(path, request.params, 'path')
    const answer = check(answerQuery, request.query, 'query')
    return end(reply, platform, await authorization.answered(platform, answer, cookies(request)))
  })

  app.post('/connect/:platform/choice', async (request, reply) => {
    const { platform } = check(path, request.params, 'path')
    const { ticket, choice } = check(choiceForm, request.body, 'body')
    return end(reply, platform, await authorization.chosen(platform, ticket, [choice].flat(), cookies(request)))
  })

  otherMethods(app, '/connect/:platform', ['GET'])
  otherMethods(app, '/connect/:platform/consent', ['POST'])
  otherMethods(app, '/connect/:platform/callback', ['GET'])
  otherMethods(app, '/connect/:platform/choice', ['POST'])
}

function cookies({ headers }: FastifyRequest): TokenOf {
  return (name) => {
    const begin = `${COOKIE}${name}=`
    const found = (headers.cookie ?? '').split('; ').find((pair) => pair.startsWith(begin))
    return found?.slice(begin.length)
  }
}

const PURPOSES: Readonly<Record<Capability, string>> = {
  publishing: 'publish posts',
  comments: 'read comments and mentions',
  replies: 'reply to comments, and add first comments to posts',
  analytics: 'read how posts perform',
}

function shownOption({ capability, permissions, costs }: ConsentOption): Html {
  // A disabled checkbox is not sent; publishing is asked for in any case.
  const state = capability === 'publishing' ? html`checked disabled` : html`checked`
  const charged = costs.length === 0 ? html`` : html`<br /><small>Charged by the platform: ${costs.join(', ')}</small>`
  const asked = permissions.length === 0 ? html`` : html`<br /><small><code>${permissions.join(' ')}</code></small>`
  return html`<label>
    <input type="checkbox" name="${capability}" ${state} /> <b>${CAPABILITY_NAMES[capability]}</b>:
    ${PURPOSES[capability]}${charged}${asked}
  </label>`
}

function settledPage(reply: FastifyReply, base: string, platform: PlatformKey, settled: Settled): FastifyReply {
  const back = html`<p><a href="${base}${ACCOUNTS_PAGE}">Back to accounts</a></p>`
  switch (settled.outcome) {
    case 'connected': {
      const { accounts, failures, workspace, inDashboard } = settled
      if (inDashboard && failures.length === 0) {
        const query = accounts.map(({ id }) => `connected=${id}`).join('&')
        return reply.redirect(`${base}${ACCOUNTS_PAGE}?${query}`, 303)
      }
      const connected = accounts.map(({ label }) => html`<p><b>${label}</b> is connected to ${workspace}.</p>`)
      const others = failures.map((failure) => html`<p>Not connected: ${failure}</p>`)
      const next = inDashboard ? back : html`<p>You can close this window.</p>`
      return answerPage(reply, 200, 'Connected', html`${connected}${others}${next}`)
    }
    case 'failed': {
      const next = settled.inDashboard ? back : html``
      return answerPage(
        reply,
        409,
        'Not connected',
        html`<p>${settled.why}</p>
          ${next}`,
      )
    }
    case 'choose': {
      const kind = settled.several ? html`type="checkbox"` : html`type="radio" required`
      const which = settled.several ? 'those' : 'the one'
      const choices = settled.labels.map(
        (label, index) => html`<label><input ${kind} name="choice" value="${String(index)}" /> ${label}</label>`,
      )
      const missing = settled.problems.map((problem) => html`<p><small>${problem}</small></p>`)
      const body = html`<p>This login gives access to several accounts. Choose ${which} to connect.</p>
        <form method="post" action="${base}/connect/${platform}/choice">
          <input type="hidden" name="ticket" value="${settled.ticket}" />${choices}${missing}
          <p><button>Connect</button></p>
        </form>`
      return answerPage(reply, 200, `Connect ${PLATFORM_NAMES[platform]}`, body)
    }
  }
}
