import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { handle, load } from '../../commands/handle.ts'
import { mustBeUsable, noSuchLink, resetPassword, usedLink } from '../../commands/reset-link.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { text } from '../../domain/core/text.ts'
import { newPassword, user } from '../../domain/workspace/user.ts'
import { findUser } from '../../projections/models/users.ts'
import { mustBeAdmitted } from '../http/admission.ts'
import { addressBlock } from '../http/client-address.ts'
import { resetLinkFormat, sameHash } from '../../infra/runtime/key-format.ts'
import { mayManageAccount, mustBeShown } from '../kit/memberships.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import { check } from '../http/validation.ts'
import { mustBeSameOrigin } from './same-origin.ts'
import type { DashboardServices } from './services.ts'
import { begunSession } from './sign-in.ts'

const token = text(200).describe('What follows # in the link.')
const tokenBody = z.object({ token })
const resetBody = z.object({ token, password: newPassword })

/**
 * `POST /reset-link` shows whose password a link resets, `POST /reset` sets the new one, ends all sessions of the user and begins
 * another. Both need no session.
 */
export function reset(
  app: FastifyInstance,
  services: DashboardServices,
  { limit, publicUrl }: { readonly limit: TimeLimit; readonly publicUrl: string | undefined },
): void {
  const { db, log, clock, ids, passwords, sessions, throttle, seen } = services

  const admitted = async (request: FastifyRequest) => {
    mustBeSameOrigin(request, publicUrl)
    return throttle.ofAddress(addressBlock(String(request.ip)))
  }
  /** Neither the error nor its timing says whether the id or the secret is wrong. */
  const linkOf = async (raw: string) => {
    const parsed = resetLinkFormat.parse(raw)
    const state = parsed && (await load(log, user, parsed.id))
    if (!parsed || state?.status !== 'active' || !state.resetLink) throw noSuchLink()
    if (!sameHash(state.resetLink.secretHash, parsed.secretHash)) throw noSuchLink()
    return { id: parsed.id, ...state, resetLink: state.resetLink }
  }
  type Found = Awaited<ReturnType<typeof linkOf>>

  /** So that nobody takes an account by a link from when they could manage its user. @throws Refusal */
  const mustBeValid = async ({ id: userId, resetLink }: Found) => {
    mustBeUsable(resetLink, clock.now())
    const { kind, id } = resetLink.madeBy
    if (kind !== 'user') return
    await mustBeShown(services)
    if (await mayManageAccount(db, id, userId)) return
    throw new Refusal('failed_precondition', 'The person who made this link can no longer do that. Ask for another.')
  }

  app.post('/reset-link', async (request, reply) => {
    const { token } = check(tokenBody, request.body, 'body')
    mustBeAdmitted(await admitted(request), reply, clock)
    const found = await limit.keep(linkOf(token))
    await limit.keep(mustBeValid(found))
    const { name } = (await findUser(db, found.id)) ?? found
    return { user: { name }, expiresAt: found.resetLink.expiresAt, requestId: request.id }
  })

  app.post('/reset', async (request, reply) => {
    const { token, password } = check(resetBody, request.body, 'body')
    mustBeAdmitted(await admitted(request), reply, clock)
    const found = await limit.keep(linkOf(token))
    mustBeAdmitted(await throttle.ofUser(found.id), reply, clock)
    // Otherwise, the answer to the same request was lost. The password says whether it is the same person.
    if (found.resetLink.status !== 'used') await limit.keep(changed(found, password, request.id))
    const row = await findUser(db, found.id)
    const isRight = await limit.keep(throttle.inLine(() => passwords.matches(row?.passwordId, password)))
    if (!row || !isRight) throw usedLink()
    return begunSession(services, request, reply, row)
  })

  const changed = async (found: Found, password: string, requestId: string) => {
    await mustBeValid(found)
    const { id, passwordId: before, resetLink } = found
    const passwordId = derivedId('password', ids.token())
    await throttle.inLine(async () => {
      await passwords.put(passwordId, password)
      return true
    })
    const cause = {
      ...{ commandId: derivedId('reset', requestId, ids.token()), correlationId: id, requestId },
      actor: { kind: 'user', id },
    } as const
    const used = await handle(services, user, id, cause, (state) =>
      resetPassword(state, { linkId: resetLink.linkId, passwordId }, clock.now()),
    ).catch(async (error: unknown) => {
      // After any other error, the event may be in the log and refer to this password.
      if (error instanceof Refusal) await passwords.forget(passwordId)
      throw error
    })
    if (used.position !== undefined) await seen.waitFor(used.position)
    await sessions.endAll(id)
    await passwords.forget(before)
  }
}
