import * as z from 'zod'
import { createResetLink, revokeResetLink } from '../../commands/reset-link.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { text } from '../../domain/core/text.ts'
import { user } from '../../domain/workspace/user.ts'
import { newResetLink } from '../../infra/runtime/reset-link.ts'
import { route, type AnyRoute } from '../http/route.ts'
import { decider } from '../kit/decide.ts'
import { managedUser } from '../kit/managed-user.ts'
import { mustManageAccount } from './managed-account.ts'
import type { DashboardServices } from './services.ts'

const TAG = 'Team'

const idParams = z.object({ id: text(100) })

/** Links with which a user chooses a new password: `reset.ts` is what they lead to. */
export function resetLinkRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { db, clock, ids, url } = services
  const decide = decider(services, user)
  return [
    // No Idempotency-Key: a repeat creates another link, because the first one's secret is not stored.
    route({
      method: 'POST',
      path: '/users/{id}/reset-link',
      operationId: 'createResetLink',
      summary: 'Create a link with which a user chooses a new password',
      tag: TAG,
      scope: 'users:write',
      params: idParams,
      answer: {
        status: 201,
        description: 'The link is shown only once. It replaces the one before.',
        schema: z.object({ link: z.url(), expiresAt: z.iso.datetime() }),
      },
      handle: async (request) => {
        const { id } = await managedUser(db, request.params.id, request.caller)
        if (request.caller.actor.id === id) {
          // It would let a stolen session take the account, whose password it does not know.
          throw new Refusal('failed_precondition', 'This is you. Change your password under Settings, Security.')
        }
        await mustManageAccount(services, request.caller, id)
        const { link, data } = newResetLink(url(), id, derivedId('reset-link', ids.token()), clock.now())
        await decide(request, id, (state) => createResetLink(state, data))
        return { status: 201, body: { link, expiresAt: data.expiresAt } }
      },
    }),

    route({
      method: 'DELETE',
      path: '/users/{id}/reset-link',
      operationId: 'revokeResetLink',
      summary: 'Revoke the reset link of a user',
      tag: TAG,
      scope: 'users:write',
      params: idParams,
      answer: { status: 204, description: 'No link resets the password.' },
      handle: async (request) => {
        const { id } = await managedUser(db, request.params.id, request.caller)
        await mustManageAccount(services, request.caller, id)
        await decide(request, id, revokeResetLink)
        return { status: 204 }
      },
    }),
  ]
}
