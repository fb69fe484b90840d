import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Refusal } from '../../domain/core/errors.ts'
import { userIdOf } from '../../domain/workspace/user.ts'
import { findUser } from '../../projections/models/users.ts'
import { mustBeAdmitted } from '../http/admission.ts'
import { addressBlock } from '../http/client-address.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import { check } from '../http/validation.ts'
import { mustBeSameOrigin } from './same-origin.ts'
import type { DashboardServices } from './services.ts'
import { shownSession } from './session.ts'
import { hashOf } from './sessions.ts'

const LONGEST = 200
/** Whatever is given is tried: what names and passwords may be is nobody's business here. */
const body = z.object({ name: z.string().min(1).max(LONGEST), password: z.string().min(1).max(LONGEST) })

/**
 * `POST /session`: from a name and a password to a session. What is wrong of the two is not told, and takes as long. The session
 * is always a new one: what the browser had before ends.
 */
export function signIn(
  app: FastifyInstance,
  services: DashboardServices,
  { limit, publicUrl }: { readonly limit: TimeLimit; readonly publicUrl: string | undefined },
): void {
  const { db, clock, sessions, cookie, passwords, throttle } = services
  app.post('/session', async (request, reply) => {
    const { name, password } = check(body, request.body, 'body')
    mustBeSameOrigin(request, publicUrl)
    const userId = userIdOf(name)
    mustBeAdmitted(await throttle.ofAddress(addressBlock(String(request.ip))), reply, clock)
    mustBeAdmitted(await throttle.ofUser(userId), reply, clock)
    const user = await findUser(db, userId)
    const isRight = await limit.keep(throttle.inLine(() => passwords.matches(user?.password_id, password)))
    const begun = user && isRight ? await sessions.begin(user) : undefined
    if (!begun) throw new Refusal('invalid_api_key', 'The name or the password is wrong.')

    const { token, session } = begun
    const before = cookie.read(request)
    if (before !== undefined) await sessions.end(hashOf(before))
    reply.headers({ 'set-cookie': cookie.set(token), 'cache-control': 'no-store' })
    return { ...shownSession(sessions, session), requestId: request.id }
  })
}
