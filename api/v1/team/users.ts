import * as z from 'zod'
import { createInvitation, revokeInvitation } from '../../commands/invitation.ts'
import { changeRole, removeUser } from '../../commands/user.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { text } from '../../domain/core/text.ts'
import { invitation } from '../../domain/workspace/invitation.ts'
import { mayManage, USER_ROLES } from '../../domain/workspace/role.ts'
import { user } from '../../domain/workspace/user.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { findInvitation, openInvitations } from '../../projections/models/invitations.ts'
import { listUsers, type UserRow } from '../../projections/models/users.ts'
import { invitationFormat } from '../../infra/runtime/key-format.ts'
import { route, type AnyRoute, type Caller } from '../http/route.ts'
import { decider } from '../kit/decide.ts'
import { owned } from '../kit/owned.ts'
import { managedUser, mustManage } from './managed-user.ts'
import type { DashboardServices } from './services.ts'
import { sessionOf } from './session.ts'

const TAG = 'Team'
const DAY_MS = 86_400_000
const VALID_DAYS = 7
const MOST_DAYS = 30
const MOST_OPEN = 100

const idParams = z.object({ id: text(100) })
const role = z.enum(USER_ROLES, { error: `must be one of ${USER_ROLES.join(', ')}` })
const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  role,
  createdAt: z.iso.datetime(),
  totp: z.boolean().nullable().describe('Whether two-step sign-in is on, for those who can turn it off.'),
  resetLinkUntil: z.iso.datetime().nullable().describe('Of an open reset link, for those who can revoke it.'),
})
const invitationSchema = z.object({
  id: z.string(),
  role,
  label: z.string(),
  invitedBy: z.string().describe('The name of a user; the command line otherwise.'),
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

/** The link that an invited person opens. The secret is in the fragment, which browsers do not send. */
export function joinLink(url: string, secret: string): string {
  return `${url}/join#${secret}`
}

/** The event's data of an invitation. @param now ms since the epoch */
export function invited(id: string, body: z.output<typeof inviteBody> & { readonly workspaceId: string }, now: number) {
  const { days, ...given } = body
  const { raw, secretHash } = invitationFormat.generate(id)
  return { raw, data: { ...given, secretHash, expiresAt: isoTime(now + days * DAY_MS) } }
}

/** The users of the workspace, and invitations to join it. */
export function teamRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { db, clock, url } = services
  const decide = decider(services, invitation)
  const decideUser = decider(services, user)

  const mustLeaveAnOwner = async ({ id, role, workspaceId }: UserRow) => {
    if (role !== 'owner') return
    const others = (await listUsers(db, workspaceId)).filter((one) => one.id !== id && !one.removed)
    if (others.some((other) => other.role === 'owner')) return
    throw new Refusal('failed_precondition', 'This is the last owner. Make somebody else an owner first.')
  }
  const presentTo = (caller: Caller, row: UserRow): z.infer<typeof userSchema> => {
    const { id, name, role, createdAt, totpId, resetLinkUntil: until } = row
    const shown = { id, name, role, createdAt, totp: null, resetLinkUntil: null }
    if (!mayManage(sessionOf(caller).user.role, role)) return shown
    const isOpen = until !== null && Date.parse(until) > clock.now()
    return { ...shown, totp: totpId !== null, resetLinkUntil: isOpen ? until : null }
  }
  const open = (workspaceId: string) => openInvitations(db, workspaceId, isoTime(clock.now()))

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
        return { status: 200, body: { users: rows.map((row) => presentTo(caller, row)) } }
      },
    }),

    route({
      method: 'PATCH',
      path: '/users/{id}',
      operationId: 'changeRole',
      summary: 'Change the role of a user',
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
        await decideUser(request, row.id, (state) => changeRole(state, body.role))
        return { status: 200, body: presentTo(caller, { ...row, role: body.role }) }
      },
    }),

    route({
      method: 'DELETE',
      path: '/users/{id}',
      operationId: 'removeUser',
      summary: 'Remove a user',
      tag: TAG,
      scope: 'users:write',
      params: idParams,
      answer: { status: 204, description: 'Removed, and signed out everywhere. What the user did stays.' },
      handle: async (request) => {
        const row = await managedUser(db, request.params.id, request.caller)
        await mustLeaveAnOwner(row)
        await decideUser(request, row.id, removeUser)
        await services.passwords.forget(row.passwordId)
        if (row.totpId !== null) await services.totps.forget(row.totpId)
        return { status: 204 }
      },
    }),

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
        const [rows, users] = await Promise.all([open(workspaceId), listUsers(db, workspaceId)])
        const invitations = rows.flatMap(({ invitedBy, ...row }) => {
          const by = users.find((one) => one.id === invitedBy)
          // The link of somebody who may not invite any longer does not work.
          if (by && (by.removed || !mayManage(by.role, row.role))) return []
          const { id, role, label, createdAt, expiresAt } = row
          return [{ id, role, label, createdAt, expiresAt, invitedBy: by?.name ?? 'the command line' }]
        })
        return { status: 200, body: { invitations } }
      },
    }),

    // No Idempotency-Key: a repeat creates another link, because the first one's secret is not stored.
    route({
      method: 'POST',
      path: '/invitations',
      operationId: 'invite',
      summary: 'Create a link with which one person joins the workspace',
      tag: TAG,
      scope: 'users:write',
      body: inviteBody,
      answer: {
        status: 201,
        description: 'The link is shown only once.',
        schema: z.object({ id: z.string(), link: z.url(), role, expiresAt: z.iso.datetime() }),
      },
      handle: async (request) => {
        const { body, caller } = request
        const { workspaceId } = caller
        mustManage(caller, body.role)
        if ((await open(workspaceId)).length >= MOST_OPEN) {
          throw new Refusal('resource_exhausted', `There are ${MOST_OPEN} open invitations. Revoke some first.`)
        }
        const id = resourceId('inv', request.work)
        const { raw, data } = invited(id, { ...body, workspaceId }, clock.now())
        await decide(request, id, (state) => createInvitation(state, data))
        return { status: 201, body: { id, link: joinLink(url(), raw), role: body.role, expiresAt: data.expiresAt } }
      },
    }),

    route({
      method: 'DELETE',
      path: '/invitations/{id}',
      operationId: 'revokeInvitation',
      summary: 'Revoke an invitation',
      tag: TAG,
      scope: 'users:write',
      params: idParams,
      answer: { status: 204, description: 'Its link no longer works.' },
      handle: async (request) => {
        const row = owned(await findInvitation(db, request.params.id), request.caller, 'invitation')
        mustManage(request.caller, row.role)
        await decide(request, row.id, revokeInvitation)
        return { status: 204 }
      },
    }),
  ]
}
