import * as z from 'zod'
import { changeMemberRole } from '../../../commands/member.ts'
import { changeRole } from '../../../commands/user.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { text } from '../../../domain/core/text.ts'
import { USER_ROLES } from '../../../domain/workspace/role.ts'
import { member } from '../../../domain/workspace/member.ts'
import { user } from '../../../domain/workspace/user.ts'
import { hasOtherOwner, listUsers, usersElsewhere, type UserRow } from '../../../projections/models/users.ts'
import { causeOf } from '../../http/cause.ts'
import { route, type AnyRoute, type Caller } from '../../http/route.ts'
import { decider } from '../../kit/decide.ts'
import { managedUser, manages, mustManage } from '../../kit/managed-user.ts'
import { endMembership, mayManageAccount, mustBeShown } from '../../kit/memberships.ts'
import type { Services } from '../../kit/services.ts'

const TAG = 'Team'

const idParams = z.object({ id: text(100) })
const role = z.enum(USER_ROLES, { error: `must be one of ${USER_ROLES.join(', ')}` })
const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  role,
  createdAt: z.iso.datetime(),
  totp: z
    .boolean()
    .nullable()
    .describe('Whether two-step sign-in is on, for those who manage the user in all workspaces.'),
  resetLinkUntil: z.iso.datetime().nullable().describe('Of an open reset link, for the same.'),
})

/** The users of the workspace. They join by an invitation (`invitations.ts`). */
export function userRoutes(services: Services): readonly AnyRoute[] {
  const { db, clock } = services
  const decideUser = decider(services, user)
  const decideMember = decider(services, member)

  const mustLeaveAnOwner = async (row: UserRow) => {
    if (row.role !== 'owner' || (await hasOtherOwner(db, row))) return
    throw new Refusal('failed_precondition', 'This is the last owner. Make somebody else an owner first.')
  }
  /** What the account is like is nobody's business who may not do anything about it. */
  const presentTo = async (caller: Caller, row: UserRow, isElsewhere: boolean): Promise<z.infer<typeof userSchema>> => {
    const { id, name, role, createdAt, totpId, resetLinkUntil: until } = row
    const shown = { id, name, role, createdAt, totp: null, resetLinkUntil: null }
    if (!manages(caller, role)) return shown
    if (isElsewhere && !(await mayManageAccount(db, caller.actor.id, id))) return shown
    const isOpen = until !== null && Date.parse(until) > clock.now()
    return { ...shown, totp: totpId !== null, resetLinkUntil: isOpen ? until : null }
  }

  return [
    route({
      method: 'GET',
      path: '/users',
      operationId: 'listUsers',
      summary: 'List the users of the workspace',
      tag: TAG,
      scope: 'users:read',
      answer: { status: 200, description: 'By name.', schema: z.object({ users: z.array(userSchema) }) },
      handle: async ({ caller }) => {
        const rows = (await listUsers(db, caller.workspaceId)).filter(({ removed }) => !removed)
        const elsewhere = await usersElsewhere(db, caller.workspaceId)
        const users = await Promise.all(rows.map((row) => presentTo(caller, row, elsewhere.has(row.id))))
        return { status: 200, body: { users } }
      },
    }),

    route({
      method: 'PATCH',
      path: '/users/{id}',
      operationId: 'changeUserRole',
      summary: 'Change the role of a user',
      description: 'API keys manage authors, reviewers and readers only. The last owner keeps the role.',
      mayConflict: true,
      tag: TAG,
      scope: 'users:write',
      params: idParams,
      body: z.object({ role }),
      answer: { status: 200, description: 'The user. The role applies to the next request.', schema: userSchema },
      handle: async (request) => {
        const { params, body, caller } = request
        const row = await managedUser(db, params.id, caller)
        mustManage(caller, body.role)
        if (body.role !== 'owner') await mustLeaveAnOwner(row)
        const { id, memberId } = row
        if (memberId === id) await decideUser(request, id, (state) => changeRole(state, body.role))
        else await decideMember(request, memberId, (state) => changeMemberRole(state, body.role))
        const elsewhere = await usersElsewhere(db, caller.workspaceId)
        return { status: 200, body: await presentTo(caller, { ...row, role: body.role }, elsewhere.has(id)) }
      },
    }),

    route({
      method: 'DELETE',
      path: '/users/{id}',
      operationId: 'removeUser',
      summary: 'Remove a user from the workspace',
      description: 'API keys remove authors, reviewers and readers only. The last owner cannot be removed.',
      mayConflict: true,
      tag: TAG,
      scope: 'users:write',
      params: idParams,
      answer: {
        status: 204,
        description: 'Removed, and signed out unless they are in another workspace. What the user did stays.',
      },
      handle: async (request) => {
        const row = await managedUser(db, request.params.id, request.caller)
        await mustLeaveAnOwner(row)
        const shown = () => mustBeShown(services)
        await endMembership({ ...services, shown }, row, causeOf(request, row.memberId))
        return { status: 204 }
      },
    }),
  ]
}
