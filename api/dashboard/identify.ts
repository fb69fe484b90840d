import { handle } from '../../commands/handle.ts'
import { joinByIdentity, linkIdentity, unlinkIdentity } from '../../commands/identity.ts'
import { changeMemberRole } from '../../commands/member.ts'
import { changeRole, removeUser } from '../../commands/user.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { Actor, DomainEvent, StreamKind } from '../../domain/core/event.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { member } from '../../domain/workspace/member.ts'
import { roleOfGroups, type UserRole } from '../../domain/workspace/role.ts'
import { asUserName, user, userIdOf, type UserEvent, type UserState } from '../../domain/workspace/user.ts'
import type { Claims } from '../../infra/oidc/identity-provider.ts'
import { findByIdentity, findUser, hasOtherOwner, workspacesOf, type UserRow } from '../../projections/models/users.ts'
import { findWorkspaces } from '../../projections/models/workspaces.ts'
import type { DashboardServices, SingleSignOn } from './services.ts'
import { NotSignedIn } from './not-signed-in.ts'

/** How long (ms) a first sign-in waits for the read model: only then is it known that nobody has the identity. */
const KNOWN_WITHIN_MS = 5_000

/** Finds and creates the users of identities. */
export function identification(services: DashboardServices, { workspace: joins, roles }: SingleSignOn) {
  const { db, log, ids, seen } = services

  /** Decides on a stream, and returns once the read models show the result. */
  const decidedOn = async <State, Event extends DomainEvent>(
    kind: StreamKind<State, Event>,
    id: string,
    { step, requestId, actor }: { readonly step: string; readonly requestId: string; readonly actor: Actor },
    decide: (state: State) => readonly Event[],
  ): Promise<{ readonly isNew: boolean }> => {
    const commandId = derivedId(step, requestId, ids.token())
    const { position } = await handle(services, kind, id, { commandId, correlationId: id, requestId, actor }, decide)
    if (position !== undefined) await seen.waitFor(position)
    return { isNew: position !== undefined }
  }
  /** The user's own decision on their account. */
  const decided = (
    id: string,
    step: { readonly step: string; readonly requestId: string },
    decide: (state: UserState) => readonly UserEvent[],
  ) => decidedOn(user, id, { ...step, actor: { kind: 'user', id } }, decide)
  const workspaceOfGroups = async () => {
    const [found, other] = joins === undefined ? [] : await findWorkspaces(db, joins)
    if (found && !other && found.closedAt === null) return found.id
    throw new NotSignedIn(
      'no-workspace',
      `OIDC_WORKSPACE: ${other ? 'several workspaces are' : 'no workspace is'} called ${joins}`,
    )
  }

  const created = async (claims: Claims, role: UserRole, requestId: string) => {
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
    const known = await findByIdentity(db, subjectHash)
    if (!known) throw new NotSignedIn('behind')
    // At the same moment, the provider called the person something else: the first of the two users stays.
    if (isNew && known.id !== id) await decided(id, { step: 'leave', requestId }, removeUser)
    return known
  }

  /** Gives a user of the groups' workspace the role of the groups, unless it would leave the workspace without an owner. */
  const takeRole = async (userId: string, role: UserRole, requestId: string): Promise<void> => {
    const workspaceId = await workspaceOfGroups()
    const row = (await workspacesOf(db, userId)).find((one) => one.workspaceId === workspaceId)
    if (!row || row.role === role || (row.role === 'owner' && !(await hasOtherOwner(db, row)))) return
    const cause = { step: 'groups', requestId, actor: { kind: 'reactor', id: 'single-sign-on' } } as const
    if (row.memberId === userId) await decidedOn(user, userId, cause, (state) => changeRole(state, role))
    else await decidedOn(member, row.memberId, cause, (state) => changeMemberRole(state, role))
  }

  return {
    /** Whose identity it is. Creates the user if a group lets them join. @throws NotSignedIn */
    userOf: async (claims: Claims, requestId: string): Promise<UserRow> => {
      const { subjectHash, groups } = claims
      const role = roleOfGroups(roles, groups)
      let known = await findByIdentity(db, subjectHash)
      if (!known) {
        if (!(await seen.waitFor(await log.head(), KNOWN_WITHIN_MS))) throw new NotSignedIn('behind')
        known = await findByIdentity(db, subjectHash)
      }
      if (!known && role === undefined) throw new NotSignedIn('no-group')
      known ??= await created(claims, role ?? 'reader', requestId)
      if (known.ended) throw new NotSignedIn('removed')
      if (role !== undefined) await takeRole(known.id, role, requestId)
      else if (known.joined) throw new NotSignedIn('group-lost')
      const row = await findUser(db, known.id)
      if (!row) throw new NotSignedIn('behind')
      return row
    },

    /** Links an identity to a user who is signed in. @throws NotSignedIn */
    link: async ({ issuer, subjectHash }: Claims, userId: string, requestId: string): Promise<void> => {
      const other = async () => {
        const known = await findByIdentity(db, subjectHash)
        return known && !known.ended && known.id !== userId
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
