import { acceptInvitation, usable } from '../../commands/invitation.ts'
import { handle, load, type Cause } from '../../commands/handle.ts'
import { hasUsed, roleIn } from '../../commands/member.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { apiKey } from '../../domain/workspace/api-key.ts'
import { invitation, type InvitationState } from '../../domain/workspace/invitation.ts'
import { member, memberIdOf } from '../../domain/workspace/member.ts'
import { mayManage } from '../../domain/workspace/role.ts'
import { user } from '../../domain/workspace/user.ts'
import { invitationFormat, sameHash } from '../../infra/runtime/key-format.ts'
import { findWorkspaces } from '../../projections/models/workspaces.ts'
import type { DashboardServices } from './services.ts'

type OfSomebody = Exclude<InvitationState, { status: 'absent' }>

/** What the links with which people join a workspace lead to. */
export function invitationLinks({ db, log, clock }: Pick<DashboardServices, 'db' | 'log' | 'clock'>) {
  /** Whether a user joined the workspace by this invitation. */
  const hasJoined = async (
    userId: string,
    { id, workspaceId }: { readonly id: string; readonly workspaceId: string },
  ) => {
    const state = await load(log, user, userId)
    if (state.status !== 'absent' && state.invitationId === id) return true
    return hasUsed(await load(log, member, memberIdOf(userId, workspaceId)), id)
  }
  /** So that nobody who is removed comes back by a link of their own. */
  const mayStillInvite = async ({ invitedBy: { kind, id }, workspaceId, role }: OfSomebody): Promise<boolean> => {
    if (kind === 'user') {
      const own = await roleIn(log, id, workspaceId)
      return own !== undefined && mayManage(own, role)
    }
    return kind !== 'api-key' || (await load(log, apiKey, id)).status === 'active'
  }
  return {
    hasJoined,
    /** Neither the error nor its timing says whether the id or the secret is wrong. @throws Refusal */
    find: async (raw: string) => {
      const parsed = invitationFormat.parse(raw)
      const state = parsed && (await load(log, invitation, parsed.id))
      if (!parsed || !state || state.status === 'absent' || !sameHash(state.secretHash, parsed.secretHash)) {
        throw new Refusal('not_found', 'No such invitation. Check that the link is complete, or ask for another.')
      }
      const [workspace] = await findWorkspaces(db, state.workspaceId)
      if (!workspace || workspace.closedAt !== null) throw new Refusal('not_found', 'Its workspace no longer exists.')
      if (!(await mayStillInvite(state))) {
        throw new Refusal(
          'failed_precondition',
          'The person who made this invitation can no longer invite. Ask for another.',
        )
      }
      return { ...usable(state, clock.now()), id: parsed.id, workspace }
    },
    /** The invitation is this user's from now on. @throws Refusal failed_precondition */
    accept: async (
      { id, workspaceId }: { readonly id: string; readonly workspaceId: string },
      userId: string,
      cause: Cause,
    ) => {
      await handle({ log, clock }, invitation, id, cause, async (state) =>
        acceptInvitation(
          state,
          userId,
          clock.now(),
          state.status === 'accepted' && (await hasJoined(state.userId, { id, workspaceId })),
        ),
      )
    },
  }
}
