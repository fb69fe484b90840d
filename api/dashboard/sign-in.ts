import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { handle } from '../../commands/handle.ts'
import { useRecoveryCode } from '../../commands/totp.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { user as userKind, userIdOf } from '../../domain/workspace/user.ts'
import { findUser, type UserRow } from '../../projections/models/users.ts'
import { hashOf } from '../../infra/runtime/key-format.ts'
import type { Session } from '../http/session.ts'
import { mustBeAdmitted } from '../http/admission.ts'
import { addressBlock } from '../http/client-address.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import { check } from '../http/validation.ts'
import { browserName } from './browser-name.ts'
import { mustBeSameOrigin } from './same-origin.ts'
import type { DashboardServices } from './services.ts'
import { presentSession } from './session.ts'

const LONGEST = 200
/** Any name and password is tried: their rules are not checked at sign-in. */
const body = z.object({
  name: z.string().min(1).max(LONGEST),
  password: z.string().min(1).max(LONGEST),
  code: z.string().min(1).max(LONGEST).optional().describe('Of the authenticator app, or a recovery code.'),
})

/**
 * `POST /session`: begins a session with a name and a password. Neither the error nor its timing reveals which of the two is
 * wrong. The session is always new, and the browser's previous one ends.
 */
export function signIn(
  app: FastifyInstance,
  services: DashboardServices,
  { limit, publicUrl }: { readonly limit: TimeLimit; readonly publicUrl: string | undefined },
): void {
  const { db, clock, passwords, throttle } = services
  app.post('/session', async (request, reply) => {
    const { name, password, code } = check(body, request.body, 'body')
    mustBeSameOrigin(request, publicUrl)
    const userId = userIdOf(name)
    mustBeAdmitted(await throttle.ofAddress(addressBlock(String(request.ip))), reply, clock)
    mustBeAdmitted(await throttle.ofUser(userId), reply, clock)
    const user = await findUser(db, userId)
    const isRight = await limit.keep(throttle.inLine(() => passwords.matches(user?.passwordId, password)))
    if (!user || !isRight) throw new Refusal('invalid_api_key', 'Incorrect name or password.')
    return begunSession(services, request, reply, user, code)
  })
}

/**
 * A new session of a user whose password is right, or `totp_required`: then the password is sent again, with a code, to
 * `POST /session`. The browser's previous session ends.
 */
export async function begunSession(
  services: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
  user: UserRow,
  code?: string,
): Promise<object> {
  const { sessions, throttle, clock } = services
  reply.header('cache-control', 'no-store')
  if (user.totpId !== null) {
    if (code === undefined) return { status: 'totp_required', requestId: request.id }
    mustBeAdmitted(await throttle.ofCode(user.id), reply, clock)
    await acceptCode(services, { id: user.id, totpId: user.totpId }, code, request.id)
  }
  const session = await newSession(services, request, reply, user)
  if (!session) throw new Refusal('invalid_api_key', 'Incorrect name or password.')
  return { ...(await presentSession(sessions, session)), requestId: request.id }
}

/** Begins a session in place of the browser's previous one. @returns undefined when the user was removed in the meantime */
export async function newSession(
  { sessions, cookie }: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
  user: UserRow,
): Promise<Session | undefined> {
  const begun = await sessions.begin(user, { browser: browserName(request.headers['user-agent'] ?? '') })
  if (!begun) return undefined
  const before = cookie.read(request)
  if (before !== undefined) await sessions.end(hashOf(before))
  reply.header('set-cookie', cookie.set(begun.token))
  return begun.session
}

/** @throws Refusal invalid_api_key */
async function acceptCode(
  services: DashboardServices,
  { id, totpId }: { readonly id: string; readonly totpId: string },
  code: string,
  requestId: string,
): Promise<void> {
  const used = await services.totps.use(totpId, code, services.clock.now())
  if (!used) throw new Refusal('invalid_api_key', 'Incorrect code. Each code works once: wait for the next one.')
  const { recoveryCodesLeft: left } = used
  if (left === undefined) return
  const cause = {
    ...{ commandId: derivedId('recovery', requestId, services.ids.token()), correlationId: id, requestId },
    actor: { kind: 'user', id },
  } as const
  await handle(services, userKind, id, cause, (state) => useRecoveryCode(state, totpId, left))
}
