import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/core/errors.ts'
import { PERMISSIONS } from '../../domain/workspace/role.ts'
import type { Authenticate } from '../http/authenticate.ts'
import { mustBeSameOrigin } from './same-origin.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'

/** Methods that change nothing need no CSRF token. */
const SAFE = ['GET', 'HEAD']

export interface UserAuthentication {
  readonly sessions: Sessions
  readonly cookie: SessionCookie
  readonly publicUrl: string | undefined
}

/**
 * Checks the session cookie, and that the request comes from the dashboard's own page: its origin and, unless the method is
 * safe, its `X-CSRF-Token`. That of a page that shows another workspace than the session does now is wrong too: what was written
 * for one workspace never arrives in another.
 *
 * @throws Refusal missing_api_key when no user is signed in, forbidden
 */
export function authenticateUser({ sessions, cookie, publicUrl }: UserAuthentication): Authenticate {
  return async (request) => {
    const token = cookie.read(request)
    if (token === undefined) throw new Refusal('missing_api_key', 'Sign in to the dashboard.')
    mustBeSameOrigin(request, publicUrl)
    const session = await sessions.find(token)
    if (!session) throw new Refusal('missing_api_key', 'You are no longer signed in to the dashboard. Sign in again.')
    if (!SAFE.includes(request.method)) mustHaveCsrfToken(request, (given) => sessions.isCsrfToken(session, given))
    return {
      actor: { kind: 'user', id: session.user.id },
      workspaceId: session.workspace.id,
      scopes: PERMISSIONS[session.user.role],
      session,
    }
  }
}

/** Other credentials in the header are for a proxy in front of us, such as the password of a site that is not public yet. */
const KEY = /^Bearer\b/i

/** A key takes precedence over a session, because sending one is deliberate. */
export function authenticateEither(byKey: Authenticate, bySession: Authenticate, cookie: SessionCookie): Authenticate {
  return (request) => {
    const isUser = !KEY.test(request.headers.authorization ?? '') && cookie.read(request) !== undefined
    return isUser ? bySession(request) : byKey(request)
  }
}

function mustHaveCsrfToken({ headers }: Pick<FastifyRequest, 'headers'>, isRight: (given: string) => boolean): void {
  const given = headers['x-csrf-token']
  if (typeof given === 'string' && isRight(given)) return
  throw new Refusal(
    'forbidden',
    'Send the csrfToken from GET /dashboard/api/session in the X-CSRF-Token header. It changes with the workspace: reload the page.',
  )
}
