import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AccountAuthorization, Settled, TokenOf } from '../../domain/account/account-authorization.ts'
import { PLATFORM_KEYS, PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { trimEnd } from '../../infra/runtime/trim-end.ts'
import { toApiError } from '../http/error-answer.ts'
import { otherMethods } from '../http/methods.ts'
import { answerPage, html } from '../http/page.ts'
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
const choiceForm = z.object({
  ticket: word,
  choice: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number),
})

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
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )

  const end = async (reply: FastifyReply, platform: PlatformKey, settled: Settled) => {
    // The page that the browser opens next lists the account.
    if (settled.outcome === 'connected' && settled.position !== undefined) await seen.waitFor(settled.position)
    return settledPage(reply, base, platform, settled)
  }

  app.get('/connect/:platform', async (request, reply) => {
    const { platform } = check(path, request.params, 'path')
    const { ticket } = check(openQuery, request.query, 'query')
    const { workspace, consentUrl, browser } = await authorization.open(platform, ticket)
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
    const body = html`<p>You are about to let <b>${workspace}</b> publish on your ${name} account.</p>
      <p><a class="go" rel="noreferrer" href="${consentUrl}">Continue to ${name}</a></p>
      <p>If you did not request this, close this window.</p>`
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
    return end(reply, platform, await authorization.chosen(platform, ticket, choice, cookies(request)))
  })

  otherMethods(app, '/connect/:platform', ['GET'])
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

function settledPage(reply: FastifyReply, base: string, platform: PlatformKey, settled: Settled): FastifyReply {
  switch (settled.outcome) {
    case 'connected': {
      if (settled.inDashboard) return reply.redirect(`${base}${ACCOUNTS_PAGE}?connected=${settled.accountId}`, 303)
      const body = html`<p><b>${settled.label}</b> is connected to ${settled.workspace}. You can close this window.</p>`
      return answerPage(reply, 200, 'Connected', body)
    }
    case 'failed': {
      const back = settled.inDashboard ? html`<p><a href="${base}${ACCOUNTS_PAGE}">Back to accounts</a></p>` : html``
      return answerPage(
        reply,
        409,
        'Not connected',
        html`<p>${settled.why}</p>
          ${back}`,
      )
    }
    case 'choose': {
      const choices = settled.labels.map(
        (label, index) =>
          html`<label><input type="radio" name="choice" value="${String(index)}" required /> ${label}</label>`,
      )
      const body = html`<p>This login gives access to several accounts. Choose the one to connect.</p>
        <form method="post" action="${base}/connect/${platform}/choice">
          <input type="hidden" name="ticket" value="${settled.ticket}" />${choices}
          <p><button>Connect</button></p>
        </form>`
      return answerPage(reply, 200, `Connect ${PLATFORM_NAMES[platform]}`, body)
    }
  }
}
