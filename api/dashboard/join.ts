import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { handle, load, type Cause } from '../../commands/handle.ts'
import { used } from '../../commands/invitation.ts'
import { createUser } from '../../commands/user.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { text } from '../../domain/core/text.ts'
import { newPassword, user, userIdOf, userName, type UserState } from '../../domain/workspace/user.ts'
import { findUser } from '../../projections/models/users.ts'
import { mustBeAdmitted } from '../http/admission.ts'
import { addressBlock } from '../http/client-address.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import { check } from '../http/validation.ts'
import { invitationLinks } from './invitation-links.ts'
import { mustBeSameOrigin } from './same-origin.ts'
import type { DashboardServices } from './services.ts'
import { begunSession } from './sign-in.ts'

const token = text(200).describe('What follows # in the link.')
const tokenBody = z.object({ token })
const joinBody = z.object({ token, name: userName, password: newPassword })

/**
 * `POST /invitation` shows what a link is for, `POST /join` creates its user and begins a session. Both need no session.
 *
 * The invitation is accepted for a name before its user is created, so that one link never makes two users. After a crash in
 * between, the same name can continue at once, and any other after a minute. Those who have an account use `join-as-user.ts`.
 */
export function join(
  app: FastifyInstance,
  services: DashboardServices,
  { limit, publicUrl }: { readonly limit: TimeLimit; readonly publicUrl: string | undefined },
): void {
  const { db, log, clock, ids, passwords, throttle, seen } = services
  const links = invitationLinks(services)

  const admitted = async (request: FastifyRequest) => {
    mustBeSameOrigin(request, publicUrl)
    return throttle.ofAddress(addressBlock(String(request.ip)))
  }
  const userOf = (id: string) => load(log, user, id)
  app.post('/invitation', async (request, reply) => {
    const { token } = check(tokenBody, request.body, 'body')
    mustBeAdmitted(await admitted(request), reply, clock)
    const found = await limit.keep(links.find(token))
    if (found.status === 'accepted' && (await links.hasJoined(found.userId, found))) throw used()
    const { role, expiresAt, workspace } = found
    return { workspace: { name: workspace.name }, role, expiresAt, requestId: request.id }
  })

  app.post('/join', async (request, reply) => {
    const { token, name, password } = check(joinBody, request.body, 'body')
    mustBeAdmitted(await admitted(request), reply, clock)
    const userId = userIdOf(name)
    await limit.keep(joined({ token, name, password, userId }, request.id))
    const row = await findUser(db, userId)
    // The read model is behind.
    if (!row) throw new Refusal('failed_precondition', 'You have joined. Sign in with your name and password.')
    if (!(await limit.keep(throttle.inLine(() => passwords.matches(row.passwordId, password))))) throw used()
    return begunSession(services, request, reply, row)
  })

  const joined = async (
    { token, name, password, userId }: z.output<typeof joinBody> & { readonly userId: string },
    requestId: string,
  ) => {
    const { id, workspaceId, role } = await links.find(token)
    const before = await userOf(userId)
    const isOwn = before.status !== 'absent' && before.invitationId === id
    // The answer to the same request was lost. The password says whether it is the same person.
    if (isOwn && before.status === 'active') return
    if (!isOwn) mustBeFree(before, name)
    const causedBy = (step: string): Cause => ({
      ...{ commandId: derivedId(step, requestId, ids.token()), correlationId: id, requestId },
      actor: { kind: 'user', id: userId },
    })
    await links.accept({ id, workspaceId }, userId, causedBy('accept'))
    const passwordId = derivedId('password', ids.token())
    await throttle.inLine(async () => {
      await passwords.put(passwordId, password)
      return true
    })
    const created = await handle(services, user, userId, causedBy('create'), (state) => {
      mustBeFree(state, name)
      return createUser(state, { workspaceId, name, passwordId, role, invitationId: id })
    }).catch(async (error: unknown) => {
      if (error instanceof Refusal) await passwords.forget(passwordId)
      throw error
    })
    if (created.position !== undefined) await seen.waitFor(created.position)
  }
}

/** Not even that of a removed user may be taken: it would open their private drafts. @throws Refusal */
function mustBeFree({ status }: UserState, name: string): void {
  if (status !== 'absent') throw new Refusal('failed_precondition', `The name ${name} is taken. Choose another.`)
}
