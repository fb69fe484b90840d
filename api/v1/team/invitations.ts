import * as z from 'zod'
import { handle } from '../../../commands/handle.ts'
import { createInvitation, revokeInvitation } from '../../../commands/invitation.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { derivedId } from '../../../domain/core/ids.ts'
import { text } from '../../../domain/core/text.ts'
import { invitation } from '../../../domain/workspace/invitation.ts'
import { mayManage, USER_ROLES } from '../../../domain/workspace/role.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { newInvitationLink } from '../../../infra/runtime/invitation-link.ts'
import { listApiKeys } from '../../../projections/models/api-keys.ts'
import { findInvitation, openInvitations } from '../../../projections/models/invitations.ts'
import { listUsers } from '../../../projections/models/users.ts'
import { causeOf } from '../../http/cause.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import { decider } from '../../kit/decide.ts'
import { mustManage } from '../../kit/managed-user.ts'
import { owned } from '../../kit/owned.ts'
import type { Services } from '../../kit/services.ts'

const TAG = 'Team'
const VALID_DAYS = 7
const MOST_DAYS = 30
const MOST_OPEN = 100

const role = z.enum(USER_ROLES, { error: `must be one of ${USER_ROLES.join(', ')}` })
const invitationSchema = z.object({
  id: z.string(),
  role,
  label: z.string(),
  invitedBy: z.string().describe('The name of a user, the label of an API key, or the command line.'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})

export const inviteBody = z.object({
  role,
  label: text(100).default('').describe('Whom it is for, such as a name. Shown in the list only.'),
  days: z
    .int()
    .min(1)
    .max(MOST_DAYS, { error: `must be 1 to ${MOST_DAYS}` })
    .default(VALID_DAYS)
    .describe('How long the link works.'),
})

/** Links with which people join the workspace: `api/dashboard/join.ts` is what they lead to. */
export function invitationRoutes(services: Services): readonly AnyRoute[] {
  const { db, clock, seen, url } = services
  const open = (workspaceId: string) => openInvitations(db, workspaceId, isoTime(clock.now()))

  return [
    route({
      method: 'GET',
      path: '/invitations',
      operationId: 'listInvitations',
      summary: 'List the invitations that can still be used, newest first',
      tag: TAG,
      scope: 'users:write',
      answer: {
        status: 200,
        description: 'At most 100.',
        schema: z.object({ invitations: z.array(invitationSchema) }),
      },
      handle: async ({ caller: { workspaceId } }) => {
        const [rows, users, keys] = await Promise.all([
          open(workspaceId),
          listUsers(db, workspaceId),
          listApiKeys(db, workspaceId),
        ])
        const invitations = rows.flatMap(({ id, role, label, createdAt, expiresAt, invitedBy }) => {
          const user = users.find((one) => one.id === invitedBy)
          const key = keys.find((one) => one.id === invitedBy)
          // The link of somebody who may not invite any longer does not work.
          if (user && (user.removed || !mayManage(user.role, role))) return []
          if (key && key.revokedAt !== null) return []
          const by = user?.name ?? (key ? key.label || key.id : 'the command line')
          return [{ id, role, label, createdAt, expiresAt, invitedBy: by }]
        })
        return { status: 200, body: { invitations } }
      },
    }),

    route({
      method: 'POST',
      path: '/invitations',
      operationId: 'inviteUser',
      summary: 'Create a link with which one person joins the workspace',
      description:
        'Send the link to that person, who chooses a name and a password. The answer is the only one that has it. API keys ' +
        'invite authors, reviewers and readers only.',
      tag: TAG,
      scope: 'users:write',
      body: inviteBody,
      idempotent: true,
      confidential: true,
      answer: {
        status: 201,
        description: 'The link is shown only once.',
        schema: z.object({ id: z.string(), link: z.url(), role, expiresAt: z.iso.datetime() }),
      },
      handle: async (request) => {
        const { body, caller, work } = request
        const { workspaceId } = caller
        mustManage(caller, body.role)
        const id = resourceId('inv', work)
        if ((await open(workspaceId)).filter((one) => one.id !== id).length >= MOST_OPEN) {
          throw new Refusal('resource_exhausted', `There are ${MOST_OPEN} open invitations. Revoke some first.`)
        }
        const { role, label, days } = body
        const { link, ...secret } = newInvitationLink(url(), id, days, clock.now())
        const data = { workspaceId, role, label, ...secret }
        // A repeat replaces the link of the first attempt, whose secret was lost with its answer.
        const cause = { ...causeOf(request, id), commandId: derivedId('invitation', work, data.secretHash) }
        const { position } = await handle(services, invitation, id, cause, (state) => createInvitation(state, data))
        if (position !== undefined) await seen.waitFor(position)
        return { status: 201, body: { id, link, role, expiresAt: data.expiresAt } }
      },
    }),

    route({
      method: 'DELETE',
      path: '/invitations/{id}',
      operationId: 'revokeInvitation',
      summary: 'Revoke an invitation',
      mayConflict: true,
      tag: TAG,
      scope: 'users:write',
      params: z.object({ id: text(100) }),
      answer: { status: 204, description: 'Its link no longer works.' },
      handle: async (request) => {
        const row = owned(await findInvitation(db, request.params.id), request.caller, 'invitation')
        mustManage(request.caller, row.role)
        await decider(services, invitation)(request, row.id, revokeInvitation)
        return { status: 204 }
      },
    }),
  ]
}
