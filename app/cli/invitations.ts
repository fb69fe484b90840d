import { inviteBody } from '../../api/v1/team/invitations.ts'
import { check } from '../../api/http/validation.ts'
import { handle } from '../../commands/handle.ts'
import { createInvitation, revokeInvitation } from '../../commands/invitation.ts'
import { invitation } from '../../domain/workspace/invitation.ts'
import type { UserRole } from '../../domain/workspace/role.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { newInvitationLink } from '../../infra/runtime/invitation-link.ts'
import { openInvitations } from '../../projections/models/invitations.ts'
import type { Core } from '../wiring/core.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

/** The link is shown once and never again. @throws Refusal invalid_request */
export async function inviteTo(
  core: Core,
  options: { readonly workspace: string; readonly role: UserRole; readonly label: string; readonly days: string },
) {
  const { role, label, days } = options
  const body = check(inviteBody, { role, label, days: Number(days) }, 'options')
  const { id: workspaceId } = await oneWorkspace(core, options.workspace)
  const id = resourceId('inv', core.ids.ulid())
  const { link, ...secret } = newInvitationLink(core.reachedAt.url, id, body.days, core.clock.now())
  const data = { workspaceId, role, label: body.label, ...secret }
  const cause = commandLineCause(core.ids)
  await settled(core, await handle(core, invitation, id, cause, (state) => createInvitation(state, data)))
  return { id, role, expiresAt: secret.expiresAt, link }
}

export async function invitationsOf(core: Core, workspace: string) {
  const { id } = await oneWorkspace(core, workspace)
  const open = await openInvitations(core.db, id, isoTime(core.clock.now()))
  return open.map(({ id, role, label, createdAt, expiresAt }) => ({ id, role, label, createdAt, expiresAt }))
}

/** @throws Refusal not_found, failed_precondition when it was used */
export async function revokeInvitationOf(core: Core, id: string): Promise<{ id: string; revoked: true }> {
  await settled(core, await handle(core, invitation, id, commandLineCause(core.ids), revokeInvitation))
  return { id, revoked: true }
}
