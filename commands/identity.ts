import { Refusal } from '../domain/core/errors.ts'
import type { UserEvent, UserIdentity, UserState } from '../domain/workspace/user.ts'
import { mustBeActive, type CreateUser } from './user.ts'

type Link = Omit<UserIdentity, 'joined'>

/**
 * Creates the user and links the identity in one append, so that a crash never leaves one without the other. A no-op when the user
 * has joined with it already.
 *
 * @throws Refusal failed_precondition when the name is taken, also by a removed user, whose private drafts it would open
 */
export function joinByIdentity(state: UserState, created: CreateUser, link: Link): readonly UserEvent[] {
  if (state.status === 'active' && state.identity?.subjectHash === link.subjectHash) return []
  if (state.status !== 'absent') throw new Refusal('failed_precondition', `The name ${created.name} is taken.`)
  return [
    { type: 'UserCreated', data: created },
    { type: 'UserIdentityLinked', data: { ...link, joined: true } },
  ]
}

/** @throws Refusal not_found, failed_precondition when another one is linked */
export function linkIdentity(state: UserState, link: Link): readonly UserEvent[] {
  const { identity } = mustBeActive(state)
  if (identity?.subjectHash === link.subjectHash) return []
  if (identity) throw new Refusal('failed_precondition', 'Another identity is linked. Unlink it first.')
  return [{ type: 'UserIdentityLinked', data: { ...link, joined: false } }]
}

/** A no-op when none is linked. @throws Refusal not_found */
export function unlinkIdentity(state: UserState): readonly UserEvent[] {
  return mustBeActive(state).identity === undefined ? [] : [{ type: 'UserIdentityUnlinked', data: {} }]
}
