import { handle } from '../../commands/handle.ts'
import { joinByIdentity, linkIdentity, unlinkIdentity } from '../../commands/identity.ts'
import { changeRole, removeUser } from '../../commands/user.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { Actor } from '../../domain/core/event.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { roleOfGroups, type UserRole } from '../../domain/workspace/role.ts'
import { asUserName, user, userIdOf, type UserEvent, type UserState } from '../../domain/workspace/user.ts'
import type { Claims } from '../../infra/oidc/identity-provider.ts'
import { findByIdentity, hasOtherOwner, type UserRow } from '../../projections/models/users.ts'
import { findWorkspaces } from '../../projections/models/workspaces.ts'
import type { DashboardServices, SingleSignOn } from './services.ts'
import { NotSignedIn } from './not-signed-in.ts'

/** How long (ms) a first sign-in waits for the read model: only then is it known that nobody has the identity. */
const KNOWN_WITHIN_MS = 5_000

/** Finds and creates the users of identities. */
export function identification(services: DashboardServices, { workspace: joins, roles }: SingleSignOn) {
  const { db, log, ids, seen } = services

  /** Decides on a user, and returns once the read models show the result. */
  const decided = async (
    userId: string,
    {
      step,
      requestId,
      actor = { kind: 'user', id: userId },
    }: { readonly step: string; readonly requestId: string; readonly actor?: Actor },
    decide: (state: UserState) => readonly UserEvent[],
  ): Promise<{ readonly isNew: boolean }> => {
    const commandId = derivedId(step, requestId, ids.token())
    const cause = { commandId, correlationId: userId, requestId, actor }
    const { position } = await handle(services, user, userId, cause, decide)
    if (position !== undefined) await seen.waitFor(position)
    return { isNew: position !== undefined }
  }
  const workspaceOfGroups = async () => {
    const [found, other] = joins === undefined ? [] : await findWorkspaces(db, joins)
    if (found && !other && found.closedAt === null) return found.id
    throw new NotSignedIn(
      'no-workspace',
      `OIDC_WORKSPACE: ${other ? 'several workspaces are' : 'no workspace is'} called ${joins}`,
    )
  }

  const created = async (claims: Claims, role: UserRole, requestId: string): Promise<UserRow> => {
    const name = claims.names.map(asUserName).find((fitting) => fitting !== '')
    if (name === undefined) throw new NotSignedIn('no-name')
    const id = userIdOf(name)
    const workspaceId = await workspaceOfGroups()
    const { issuer, subjectHash } = claims
    // No row has this id, so no password is right.
    const person = { workspaceId, name, role, passwordId: derivedId('password', ids.token()) }
    const { isNew } = await decided(id, { step: 'join', requestId }, (state) =>
      joinByIdentity(state, person, { issuer, subjectHash }),
    ).catch((error: unknown) => {
      throw error instanceof Refusal ? new NotSignedIn('name-taken', undefined, name) : error
    })
    const row = await findByIdentity(db, subjectHash)
    if (!row) throw new NotSignedIn('behind')
    // At the same moment, the provider called the person something else: the first of the two users stays.
    if (isNew && row.id !== id) await decided(id, { step: 'leave', requestId }, removeUser)
    return row
  }

  /** The role that the groups give, unless it would leave the workspace without an owner. */
  const withRoleOf = async (row: UserRow, role: UserRole, requestId: string): Promise<UserRow> => {
    if (role === row.role || row.workspaceId !== (await workspaceOfGroups())) return row
    if (row.role === 'owner' && !(await hasOtherOwner(db, row))) return row
    const actor = { kind: 'reactor', id: 'single-sign-on' } as const
    await decided(row.id, { step: 'groups', requestId, actor }, (state) => changeRole(state, role))
    return { ...row, role }
  }

  return {
    /** Whose identity it is. Creates the user if a group lets them join. @throws NotSignedIn */
    userOf: async (claims: Claims, requestId: string): Promise<UserRow> => {
      const { subjectHash, groups } = claims
      const role = roleOfGroups(roles, groups)
      let row = await findByIdentity(db, subjectHash)
      if (!row) {
        if (!(await seen.waitFor(await log.head(), KNOWN_WITHIN_MS))) throw new NotSignedIn('behind')
        row = await findByIdentity(db, subjectHash)
      }
      if (!row && role === undefined) throw new NotSignedIn('no-group')
      row ??= await created(claims, role ?? 'reader', requestId)
      if (row.removed) throw new NotSignedIn('removed')
      if (role !== undefined) return withRoleOf(row, role, requestId)
      if (row.identity?.joined) throw new NotSignedIn('group-lost')
      return row
    },

    /** Links an identity to a user who is signed in. @throws NotSignedIn */
    link: async ({ issuer, subjectHash }: Claims, userId: string, requestId: string): Promise<void> => {
      const other = async () => {
        const row = await findByIdentity(db, subjectHash)
        return row && !row.removed && row.id !== userId
      }
      if (await other()) throw new NotSignedIn('identity-taken')
      await decided(userId, { step: 'link', requestId }, (state) => linkIdentity(state, { issuer, subjectHash })).catch(
        (error: unknown) => {
          throw error instanceof Refusal ? new NotSignedIn('other-linked') : error
        },
      )
      if (!(await other())) return
      // At the same moment, somebody else linked it.
      await decided(userId, { step: 'unlink', requestId }, unlinkIdentity)
      throw new NotSignedIn('identity-taken')
    },
  }
}
