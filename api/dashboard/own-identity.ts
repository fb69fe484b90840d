import * as z from 'zod'
import { unlinkIdentity } from '../../commands/identity.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { text } from '../../domain/core/text.ts'
import { user } from '../../domain/workspace/user.ts'
import { findUser } from '../../projections/models/users.ts'
import { mustHaveAllowance } from '../http/admission.ts'
import { route, type AnyRoute } from '../http/route.ts'
import { decider } from '../kit/decide.ts'
import type { DashboardServices } from './services.ts'
import { mustKnowPassword, sessionOf } from './session.ts'
import { redirectUriOf } from './single-sign-on.ts'
import { SignInFailure } from '../../infra/oidc/sign-in-failure.ts'

const TAG = 'Session'
const SECURITY_PAGE = '/settings/security'

/** The user's own identity at the OpenID Connect provider. */
export function ownIdentityRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { db, clock, passwords, totps, throttle, signOn, flows, flowCookie, url } = services
  const decide = decider(services, user)

  return [
    route({
      method: 'GET',
      path: '/identity',
      operationId: 'getIdentity',
      summary: 'Get whether you can sign in with OpenID Connect, and whether you have a password',
      tag: TAG,
      scope: 'dashboard',
      answer: {
        status: 200,
        description: 'provider is null unless sign-in with OpenID Connect is set up.',
        schema: z.object({ provider: z.string().nullable(), issuer: z.string().nullable(), hasPassword: z.boolean() }),
      },
      handle: async ({ caller }) => {
        const { id, passwordId } = sessionOf(caller).user
        const [row, hasPassword] = await Promise.all([findUser(db, id), passwords.has(passwordId)])
        return {
          status: 200,
          body: { provider: signOn?.name ?? null, issuer: row?.identity?.issuer ?? null, hasPassword },
        }
      },
    }),

    route({
      method: 'POST',
      path: '/identity',
      operationId: 'linkIdentity',
      summary: 'Begin to link your identity at the OpenID Connect provider',
      tag: TAG,
      scope: 'dashboard',
      body: z.object({
        password: text(200),
        code: text(100).optional().describe('Of the authenticator app, or a recovery code, with two-step sign-in.'),
      }),
      answer: {
        status: 201,
        description: 'The url at the provider, to which this browser has to go within 10 minutes.',
        schema: z.object({ url: z.url() }),
      },
      handle: async ({ caller, body }) => {
        const session = sessionOf(caller)
        const { id } = session.user
        if (!signOn) throw new Refusal('failed_precondition', 'Sign-in with OpenID Connect is not set up here.')
        await mustKnowPassword(services, session, body.password, 'password')
        const totpId = (await findUser(db, id))?.totpId ?? null
        // The provider takes the place of the second step, too.
        if (totpId !== null) {
          mustHaveAllowance(await throttle.ofCode(id), clock)
          if (!(await totps.use(totpId, body.code ?? '', clock.now()))) {
            throw new Refusal('invalid_request', 'code is not right. Each one works once: wait for the next one.')
          }
        }
        const linking = { userId: id, sessionHash: session.tokenHash }
        const { token, secrets } = await flows.begin({ path: SECURITY_PAGE, linking })
        const there = await signOn.provider.begin(redirectUriOf(url()), secrets).catch((error: unknown) => {
          if (!(error instanceof SignInFailure)) throw error
          throw new Refusal('failed_precondition', `${signOn.name} cannot be reached right now: ${error.message}.`)
        })
        return { status: 201, body: { url: there }, headers: { 'set-cookie': flowCookie.set(token) } }
      },
    }),

    route({
      method: 'DELETE',
      path: '/identity',
      operationId: 'unlinkIdentity',
      summary: 'Unlink your identity at the OpenID Connect provider',
      tag: TAG,
      scope: 'dashboard',
      answer: { status: 204, description: 'You sign in with your password.' },
      handle: async (request) => {
        const { id, passwordId } = sessionOf(request.caller).user
        if (!(await passwords.has(passwordId))) {
          throw new Refusal(
            'failed_precondition',
            'You have no password to sign in with. Ask an owner of your workspace for a reset link first.',
          )
        }
        await decide(request, id, unlinkIdentity)
        return { status: 204 }
      },
    }),
  ]
}
