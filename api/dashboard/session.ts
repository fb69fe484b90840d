import * as z from 'zod'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { text } from '../../domain/core/text.ts'
import { PERMISSIONS, USER_ROLES } from '../../domain/workspace/role.ts'
import { newPassword, user } from '../../domain/workspace/user.ts'
import { handle } from '../../commands/handle.ts'
import { changePassword } from '../../commands/user.ts'
import { mustHaveAllowance } from '../http/admission.ts'
import { causeOf } from '../http/cause.ts'
import { route, type AnyRoute, type Caller } from '../http/route.ts'
import type { DashboardServices } from './services.ts'
import type { Sessions } from './sessions.ts'
import type { Session } from '../http/session.ts'

const TAG = 'Session'
/** How long (ms) a password change waits for the read model: until it is shown there, the session it was made in is invalid. */
const SHOWN_WITHIN_MS = 5_000

const named = z.object({ id: z.string(), name: z.string() })
export const sessionSchema = z.object({
  user: named.extend({ role: z.enum(USER_ROLES) }),
  workspace: named,
  workspaces: z.array(named.extend({ role: z.enum(USER_ROLES) })).describe('All that the user is in, by name.'),
  permissions: z.array(z.string()).describe('What the role allows: scopes, and what only users may do.'),
  csrfToken: z.string(),
  expiresAt: z.iso.datetime(),
})

const passwordBody = z.object({ current: text(200), next: newPassword })

/** The current session, sign-out and the password. Sign-in is in `sign-in.ts`. */
export function sessionRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { sessions, cookie, passwords, seen, ids } = services
  return [
    route({
      method: 'GET',
      path: '/session',
      operationId: 'getSession',
      summary: 'Get the current session',
      tag: TAG,
      scope: 'dashboard',
      answer: {
        status: 200,
        description: 'The session, with the csrfToken that its pages must send.',
        schema: sessionSchema,
      },
      handle: async ({ caller }) => ({ status: 200, body: await presentSession(sessions, sessionOf(caller)) }),
    }),

    route({
      method: 'DELETE',
      path: '/session',
      operationId: 'endSession',
      summary: 'Sign out',
      tag: TAG,
      scope: 'dashboard',
      answer: { status: 204, description: 'The session has ended.' },
      handle: async ({ caller }) => {
        await sessions.end(sessionOf(caller).tokenHash)
        return { status: 204, headers: { 'set-cookie': cookie.clear() } }
      },
    }),

    route({
      method: 'PUT',
      path: '/session/workspace',
      operationId: 'showWorkspace',
      summary: 'Show another of your workspaces in this session',
      tag: TAG,
      scope: 'dashboard',
      body: z.object({ workspaceId: text(100) }),
      answer: {
        status: 200,
        description: 'The session, with another csrfToken: that of pages of the workspace before is no longer valid.',
        schema: sessionSchema,
      },
      handle: async ({ caller, body }) => {
        const shown = await sessions.show(sessionOf(caller), body.workspaceId)
        if (!shown) throw new Refusal('not_found', 'You are not in this workspace.')
        return { status: 200, body: await presentSession(sessions, shown) }
      },
    }),

    route({
      method: 'POST',
      path: '/password',
      operationId: 'changePassword',
      summary: 'Change the password and end all other sessions',
      tag: TAG,
      scope: 'dashboard',
      body: passwordBody,
      answer: { status: 204, description: 'Changed. This session stays signed in.' },
      handle: async (request) => {
        const session = sessionOf(request.caller)
        const { current, next } = request.body
        const { id, passwordId: known } = session.user
        await mustKnowPassword(services, session, current, 'current')
        const passwordId = derivedId('password', ids.token())
        await passwords.put(passwordId, next)
        const changed = await handle(services, user, id, causeOf(request, id), (state) =>
          changePassword(state, passwordId, known),
        ).catch(async (error: unknown) => {
          // After any other error, the event may be in the log and refer to this password.
          if (error instanceof Refusal) await passwords.forget(passwordId)
          throw error
        })
        if (changed.position !== undefined) await seen.waitFor(changed.position, SHOWN_WITHIN_MS)
        await sessions.keepOnly(session, passwordId)
        await passwords.forget(known)
        return { status: 204 }
      },
    }),
  ]
}

/** @throws Refusal invalid_request, rate_limit_exceeded */
export async function mustKnowPassword(
  { throttle, passwords, clock }: DashboardServices,
  { user }: Session,
  given: string,
  field: string,
): Promise<void> {
  mustHaveAllowance(await throttle.ofUser(user.id), clock)
  if (await throttle.inLine(() => passwords.matches(user.passwordId, given))) return
  throw new Refusal('invalid_request', `${field} is not your password`)
}

export async function presentSession(sessions: Sessions, session: Session): Promise<z.infer<typeof sessionSchema>> {
  const { expiresAt, user, workspace } = session
  const { id, name, role } = user
  const workspaces = [...(await sessions.workspacesOf(id))]
  const permissions = [...PERMISSIONS[role]]
  return {
    user: { id, name, role },
    workspace,
    workspaces,
    permissions,
    csrfToken: sessions.csrfToken(session),
    expiresAt,
  }
}

export function sessionOf({ session }: Caller): Session {
  if (!session) throw new Error('a dashboard route ran without a session')
  return session
}
