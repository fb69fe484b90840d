import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { Refusal } from '../../domain/core/errors.ts'
import { userIdOf } from '../../domain/workspace/user.ts'
import { findUser, type UserRow } from '../../projections/models/users.ts'
import { mustBeAdmitted } from '../http/admission.ts'
import { addressBlock } from '../http/client-address.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import { check } from '../http/validation.ts'
import { browserName } from './browser-name.ts'
import { mustBeSameOrigin } from './same-origin.ts'
import type { DashboardServices } from './services.ts'
import { presentSession } from './session.ts'
import { hashOf } from './sessions.ts'

const LONGEST = 200
/** Any name and password is tried: their rules are not checked at sign-in. */
const body = z.object({ name: z.string().min(1).max(LONGEST), password: z.string().min(1).max(LONGEST) })

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
    const { name, password } = check(body, request.body, 'body')
    mustBeSameOrigin(request, publicUrl)
    const userId = userIdOf(name)
    mustBeAdmitted(await throttle.ofAddress(addressBlock(String(request.ip))), reply, clock)
    mustBeAdmitted(await throttle.ofUser(userId), reply, clock)
    const user = await findUser(db, userId)
    const isRight = await limit.keep(throttle.inLine(() => passwords.matches(user?.passwordId, password)))
    if (!user || !isRight) throw new Refusal('invalid_api_key', 'Incorrect name or password.')
    return begunSession(services, request, reply, user)
  })
}

/** A new session of a user. The browser's previous one ends. */
export async function begunSession(
  { sessions, cookie }: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
  user: UserRow,
): Promise<object> {
  const begun = await sessions.begin(user, browserName(request.headers['user-agent'] ?? ''))
  if (!begun) throw new Refusal('invalid_api_key', 'Incorrect name or password.')
  const { token, session } = begun
  const before = cookie.read(request)
  if (before !== undefined) await sessions.end(hashOf(before))
  reply.headers({ 'set-cookie': cookie.set(token), 'cache-control': 'no-store' })
  return { ...presentSession(sessions, session), requestId: request.id }
}
