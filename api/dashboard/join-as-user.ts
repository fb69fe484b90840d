import * as z from 'zod'
import { handle, load } from '../../commands/handle.ts'
import { alreadyThere, hasUsed, joinWorkspace, removeMember, roleIn } from '../../commands/member.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { text } from '../../domain/core/text.ts'
import { member, memberIdOf } from '../../domain/workspace/member.ts'
import { user } from '../../domain/workspace/user.ts'
import { causeOf } from '../http/cause.ts'
import { route, type AnyRoute } from '../http/route.ts'
import { invitationLinks } from './invitation-links.ts'
import type { DashboardServices } from './services.ts'
import { presentSession, sessionOf, sessionSchema } from './session.ts'

/** How long (ms) to wait for the read model: until then, the session cannot show the workspace. */
const SHOWN_WITHIN_MS = 5_000

/**
 * How somebody with an account joins another workspace by a link: no password, because they are signed in. As in `join.ts`, the
 * invitation is accepted for them before they join.
 */
export function joinAsUserRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { log, seen, sessions } = services
  const links = invitationLinks(services)
  return [
    route({
      method: 'POST',
      path: '/workspaces',
      operationId: 'joinWorkspace',
      summary: 'Join another workspace by an invitation, and show it in this session',
      tag: 'Session',
      scope: 'dashboard',
      body: z.object({ token: text(200).describe('What follows # in the link.') }),
      answer: { status: 200, description: 'The session.', schema: sessionSchema },
      handle: async (request) => {
        const session = sessionOf(request.caller)
        const { id: userId, name } = session.user
        const { id, workspaceId, role } = await links.find(request.body.token)
        const memberId = memberIdOf(userId, workspaceId)
        const before = await load(log, member, memberId)
        // Otherwise, the answer to the same request was lost.
        if (before.status !== 'active' || !hasUsed(before, id)) {
          if ((await roleIn(log, userId, workspaceId)) !== undefined) throw alreadyThere()
          await links.accept({ id, workspaceId }, userId, causeOf(request, id))
          const cause = causeOf(request, memberId)
          const joined = await handle(services, member, memberId, cause, (state) =>
            joinWorkspace(state, { workspaceId, userId, name, role, invitationId: id }),
          )
          if ((await load(log, user, userId)).status !== 'active') {
            const own = { ...cause, commandId: `${cause.commandId} ended` }
            await handle(services, member, memberId, own, (state) =>
              state.status === 'active' ? removeMember(state) : [],
            )
            throw new Refusal('failed_precondition', 'Your account has just been removed.')
          }
          if (joined.position !== undefined) await seen.waitFor(joined.position, SHOWN_WITHIN_MS)
        }
        const shown = await sessions.show(session, workspaceId)
        // The read model is behind.
        if (!shown)
          throw new Refusal('failed_precondition', 'You have joined. Open the dashboard again to see the workspace.')
        return { status: 200, body: await presentSession(sessions, shown) }
      },
    }),
  ]
}
