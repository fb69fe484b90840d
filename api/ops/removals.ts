import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { AccountRemovals } from '../../domain/account/account-removals.ts'
import type { RemovalState } from '../../domain/account/removal.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { PLATFORM_KEYS, PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import type { Admission } from '../http/admission.ts'
import { otherMethods } from '../http/methods.ts'
import { answerPage, html, type Html } from '../http/page.ts'

/** Bytes. Platforms send a few hundred. */
const MAX_BODY_BYTES = 64 * 1024
const TOO_LARGE = `the body is over the limit of ${MAX_BODY_BYTES / 1024} KB`
const path = z.object({ platform: z.enum(PLATFORM_KEYS), code: z.string().regex(/^[0-9a-f]{32}$/) })

/**
 * `/connect/<platform>/deauthorize` and `/connect/<platform>/delete`, which platforms call when a person has removed the app or asks
 * for the deletion of their data, and the page that says how far a deletion is. Calls are authenticated by their signature: those
 * without a valid one are counted against the limit of their address.
 *
 * @param url where browsers reach the service, without a trailing slash
 */
export function removalRoutes(
  app: FastifyInstance,
  {
    removals,
    admission,
    url,
  }: {
    readonly removals: AccountRemovals
    readonly admission: Pick<Admission, 'admit'>
    readonly url: () => string
  },
): void {
  app.removeAllContentTypeParsers()
  // The signature covers the body as it was sent.
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    async (_request: FastifyRequest, body: Buffer) => body,
  )

  // What it throws goes to the handler of all routes.
  app.setErrorHandler<FastifyError>((error) => {
    throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? new Refusal('invalid_request', TOO_LARGE) : error
  })

  for (const { key: platform, kinds } of removals.platforms) {
    for (const kind of kinds) {
      const route = `/connect/${platform}/${kind}`
      app.post(route, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const { headers } = request
        const code = await removals.received(platform, kind, { headers, body }).catch(async (error: unknown) => {
          if (error instanceof Refusal && error.code === 'invalid_request') await admission.admit(request, reply)
          throw error
        })
        reply.header('cache-control', 'no-store')
        return code === undefined ? {} : { url: `${url()}${pagePath(platform, code)}`, confirmation_code: code }
      })
      otherMethods(app, route, ['POST'])
    }
  }

  app.get('/connect/:platform/deletions/:code', async (request, reply) => {
    await admission.admit(request, reply)
    const { platform, code } = path.safeParse(request.params).data ?? {}
    const state = platform && code ? await removals.status(platform, code) : undefined
    return statusPage(reply, state ?? { status: 'absent' })
  })
  otherMethods(app, '/connect/:platform/deletions/:code', ['GET'])
}

function pagePath(platform: PlatformKey, code: string): string {
  return `/connect/${platform}/deletions/${code}`
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function statusPage(reply: FastifyReply, state: RemovalState): FastifyReply {
  if (state.status === 'absent') {
    return answerPage(reply, 404, 'Not found', html`<p>There is no deletion request with this code.</p>`)
  }
  const name = PLATFORM_NAMES[state.platform]
  const requested = html`<p>${name} sent your request on ${dated(state.requestedAt)}.</p>`
  if (state.accountIds.length === 0) {
    return answerPage(
      reply,
      200,
      'Nothing to delete',
      html`${requested}
        <p>No account that you connected was stored here at that time, so nothing had to be erased.</p>
        <p>
          An account that was connected with a pasted access token may not be recognized as yours. If you gave somebody
          such a token, ask them to disconnect the account.
        </p>`,
    )
  }
  if (state.status === 'running') {
    return answerPage(
      reply,
      200,
      'Deletion in progress',
      html`${requested}
        <p>This usually takes a few minutes. Reload this page to see whether it is finished.</p>
        ${scope(name, 'What is erased', 'What is not erased')}`,
    )
  }
  return answerPage(
    reply,
    200,
    'Deletion finished',
    html`${requested}
      <p>It was finished on ${dated(state.finishedAt)}.</p>
      ${scope(name, 'What was erased', 'What was not erased')}`,
  )
}

function scope(name: string, erased: string, kept: string): Html {
  return html`<h2>${erased}</h2>
    <ul>
      <li>the access to the ${name} accounts that you connected, with their names and your ID</li>
      <li>the comments on these accounts with their authors, and the replies to them</li>
    </ul>
    <h2>${kept}</h2>
    <ul>
      <li>the text of posts that were published with this service, and statistics about them</li>
      <li>the ${name} ID of each account, and when it was connected and disconnected</li>
      <li>anything on ${name} itself: delete it there</li>
      <li>accounts that were connected again after your request</li>
    </ul>
    <p>Backups made before the request contain the data until they are deleted.</p>`
}

/** @param at ISO 8601 UTC */
function dated(at: string): Html {
  return html`<time datetime="${at}">${DATE.format(new Date(at))} UTC</time>`
}
