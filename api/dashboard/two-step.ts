import * as z from 'zod'
import { disableTotp, enableTotp } from '../../commands/totp.ts'
import { handle } from '../../commands/handle.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { text } from '../../domain/core/text.ts'
import { user } from '../../domain/workspace/user.ts'
import { newTotpSecret, stepOf, TOTP_SECRET, totpUri } from '../../infra/runtime/one-time-code.ts'
import { findUser } from '../../projections/models/users.ts'
import { mustHaveAllowance } from '../http/admission.ts'
import { causeOf } from '../http/cause.ts'
import { route, type AnyRoute } from '../http/route.ts'
import { decider } from '../kit/decide.ts'
import { mustManageAccount } from './managed-account.ts'
import { managedUser } from '../kit/managed-user.ts'
import type { DashboardServices } from './services.ts'
import { mustKnowPassword, sessionOf } from './session.ts'

const TAG = 'Session'
const ISSUER = 'Fanfare'

const password = text(200)
const code = text(100)
const enableBody = z.object({
  password,
  secret: z.string().regex(TOTP_SECRET, { error: 'must be a secret from POST /totp/secret' }),
  code: code.describe('The code that the app shows for the secret.'),
})

/** Two-step sign-in: a code from an authenticator app (TOTP) besides the password. The second step itself is in `sign-in.ts`. */
export function twoStepRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { db, clock, ids, totps, throttle, sessions, seen } = services
  const decide = decider(services, user)
  const totpIdOf = async (userId: string) => (await findUser(db, userId))?.totpId ?? undefined

  return [
    route({
      method: 'GET',
      path: '/totp',
      operationId: 'getTotp',
      summary: 'Get whether your two-step sign-in is on',
      tag: TAG,
      scope: 'dashboard',
      answer: {
        status: 200,
        description: 'recoveryCodesLeft is null while it is off.',
        schema: z.object({ enabled: z.boolean(), recoveryCodesLeft: z.int().nullable() }),
      },
      handle: async ({ caller }) => {
        const id = await totpIdOf(sessionOf(caller).user.id)
        const recoveryCodesLeft = id === undefined ? null : await totps.recoveryCodesLeft(id)
        return { status: 200, body: { enabled: id !== undefined, recoveryCodesLeft } }
      },
    }),

    route({
      method: 'POST',
      path: '/totp/secret',
      operationId: 'createTotpSecret',
      summary: 'Create a secret for an authenticator app',
      tag: TAG,
      scope: 'dashboard',
      answer: {
        status: 201,
        description: 'It is kept once POST /totp turns it on with a code.',
        schema: z.object({ secret: z.string(), uri: z.string() }),
      },
      handle: ({ caller }) => {
        const secret = newTotpSecret()
        return Promise.resolve({
          status: 201,
          body: { secret, uri: totpUri(secret, ISSUER, sessionOf(caller).user.name) },
        })
      },
    }),

    route({
      method: 'POST',
      path: '/totp',
      operationId: 'enableTotp',
      summary: 'Turn on two-step sign-in, and end all other sessions',
      tag: TAG,
      scope: 'dashboard',
      body: enableBody,
      answer: {
        status: 201,
        description: 'The recovery codes are shown only once.',
        schema: z.object({ recoveryCodes: z.array(z.string()) }),
      },
      handle: async (request) => {
        const session = sessionOf(request.caller)
        const { body } = request
        await mustKnowPassword(services, session, body.password, 'password')
        const step = stepOf(body.secret, body.code.replace(/\s/g, ''), clock.now())
        if (step === undefined) {
          throw new Refusal(
            'invalid_request',
            'code is not right. Check that the clock of your device is, and use the next one.',
          )
        }
        const totpId = derivedId('totp', ids.token())
        const recoveryCodes = await totps.keep(request.caller.workspaceId, totpId, body.secret, step)
        const enabled = await handle(services, user, session.user.id, causeOf(request, session.user.id), (state) =>
          enableTotp(state, totpId),
        ).catch(async (error: unknown) => {
          // After any other error, the event may be in the log and refer to this secret.
          if (error instanceof Refusal) await totps.forget(totpId)
          throw error
        })
        if (enabled.position !== undefined) await seen.waitFor(enabled.position)
        await sessions.endAll(session.user.id, session.tokenHash)
        return { status: 201, body: { recoveryCodes: [...recoveryCodes] } }
      },
    }),

    route({
      method: 'POST',
      path: '/totp/disable',
      operationId: 'disableTotp',
      summary: 'Turn off two-step sign-in',
      tag: TAG,
      scope: 'dashboard',
      body: z.object({ password, code: code.describe('Of the app, or a recovery code.') }),
      answer: { status: 204, description: 'The password alone signs you in.' },
      handle: async (request) => {
        const session = sessionOf(request.caller)
        const { id } = session.user
        await mustKnowPassword(services, session, request.body.password, 'password')
        const totpId = await totpIdOf(id)
        if (totpId === undefined) return { status: 204 }
        mustHaveAllowance(await throttle.ofCode(id), clock)
        if (!(await totps.use(totpId, request.body.code, clock.now()))) {
          throw new Refusal('invalid_request', 'code is not right. Each one works once: wait for the next one.')
        }
        await decide(request, id, disableTotp)
        await totps.forget(totpId)
        return { status: 204 }
      },
    }),

    route({
      method: 'DELETE',
      path: '/users/{id}/totp',
      operationId: 'disableTotpOfUser',
      summary: 'Turn off the two-step sign-in of a user who is locked out',
      tag: 'Team',
      scope: 'users:write',
      params: z.object({ id: text(100) }),
      answer: { status: 204, description: 'The password alone signs the user in.' },
      handle: async (request) => {
        const { id, totpId } = await managedUser(db, request.params.id, request.caller)
        // Otherwise, a stolen session would need neither the password nor a code.
        if (request.caller.actor.id === id) {
          throw new Refusal('failed_precondition', 'This is you. Turn it off under Settings, Security.')
        }
        await mustManageAccount(services, request.caller, id)
        await decide(request, id, disableTotp)
        if (totpId !== null) await totps.forget(totpId)
        return { status: 204 }
      },
    }),
  ]
}
