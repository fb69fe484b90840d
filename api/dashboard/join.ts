import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { handle, load, type Cause } from '../../commands/handle.ts'
import { acceptInvitation, usable, used } from '../../commands/invitation.ts'
import { createUser } from '../../commands/user.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { Actor } from '../../domain/core/event.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { text } from '../../domain/core/text.ts'
import { apiKey } from '../../domain/workspace/api-key.ts'
import { invitation } from '../../domain/workspace/invitation.ts'
import { mayManage, type UserRole } from '../../domain/workspace/role.ts'
import { newPassword, user, userIdOf, userName, type UserState } from '../../domain/workspace/user.ts'
import { findUser } from '../../projections/models/users.ts'
import { findWorkspaces } from '../../projections/models/workspaces.ts'
import { mustBeAdmitted } from '../http/admission.ts'
import { addressBlock } from '../http/client-address.ts'
import { invitationFormat, sameHash } from '../../infra/runtime/key-format.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import { check } from '../http/validation.ts'
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
 * between, the same name can continue at once, and any other after a minute.
 */
export function join(
  app: FastifyInstance,
  services: DashboardServices,
  { limit, publicUrl }: { readonly limit: TimeLimit; readonly publicUrl: string | undefined },
): void {
  const { db, log, clock, ids, passwords, throttle, seen } = services

  const admitted = async (request: FastifyRequest) => {
    mustBeSameOrigin(request, publicUrl)
    return throttle.ofAddress(addressBlock(String(request.ip)))
  }
  const userOf = (id: string) => load(log, user, id)
  /** Neither the error nor its timing says whether the id or the secret is wrong. */
  const invitationOf = async (raw: string) => {
    const parsed = invitationFormat.parse(raw)
    const state = parsed && (await load(log, invitation, parsed.id))
    if (!parsed || !state || state.status === 'absent' || !sameHash(state.secretHash, parsed.secretHash)) {
      throw new Refusal('not_found', 'No such invitation. Check that the link is complete, or ask for another.')
    }
    const [workspace] = await findWorkspaces(db, state.workspaceId)
    if (!workspace || workspace.closedAt !== null) throw new Refusal('not_found', 'Its workspace no longer exists.')
    if (!(await mayStillInvite(state.invitedBy, state.role))) {
      throw new Refusal(
        'failed_precondition',
        'The person who made this invitation can no longer invite. Ask for another.',
      )
    }
    return { ...usable(state, clock.now()), id: parsed.id, workspace }
  }
  /** So that nobody who is removed comes back by a link of their own. */
  const mayStillInvite = async ({ kind, id }: Actor, role: UserRole): Promise<boolean> => {
    if (kind === 'user') {
      const by = await userOf(id)
      return by.status === 'active' && mayManage(by.role, role)
    }
    return kind !== 'api-key' || (await load(log, apiKey, id)).status === 'active'
  }
  const hasJoined = async (userId: string, invitationId: string) => {
    const state = await userOf(userId)
    return state.status !== 'absent' && state.invitationId === invitationId
  }

  app.post('/invitation', async (request, reply) => {
    const { token } = check(tokenBody, request.body, 'body')
    mustBeAdmitted(await admitted(request), reply, clock)
    const found = await limit.keep(invitationOf(token))
    if (found.status === 'accepted' && (await hasJoined(found.userId, found.id))) throw used()
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
    const { id, workspaceId, role } = await invitationOf(token)
    const before = await userOf(userId)
    const isOwn = before.status !== 'absent' && before.invitationId === id
    // The answer to the same request was lost. The password says whether it is the same person.
    if (isOwn && before.status === 'active') return
    if (!isOwn) mustBeFree(before, name)
    const causedBy = (step: string): Cause => ({
      ...{ commandId: derivedId(step, requestId, ids.token()), correlationId: id, requestId },
      actor: { kind: 'user', id: userId },
    })
    await handle(services, invitation, id, causedBy('accept'), async (state) =>
      acceptInvitation(state, userId, clock.now(), state.status === 'accepted' && (await hasJoined(state.userId, id))),
    )
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

/** Nor may it be that of a removed user, whose private drafts it would open. @throws Refusal */
function mustBeFree({ status }: UserState, name: string): void {
  if (status !== 'absent') throw new Refusal('failed_precondition', `The name ${name} is taken. Choose another.`)
}
