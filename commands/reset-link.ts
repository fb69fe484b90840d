import { Refusal } from '../domain/core/errors.ts'
import type { ResetLink, UserEvent, UserState } from '../domain/workspace/user.ts'
import { mustBeActive } from './user.ts'

export type CreateResetLink = Extract<UserEvent, { type: 'UserResetLinkCreated' }>['data']

/** Replaces the link before it. @throws Refusal not_found */
export function createResetLink(state: UserState, command: CreateResetLink): readonly UserEvent[] {
  mustBeActive(state)
  return [{ type: 'UserResetLinkCreated', data: command }]
}

/** A no-op when no link is open. @throws Refusal not_found */
export function revokeResetLink(state: UserState): readonly UserEvent[] {
  const { resetLink } = mustBeActive(state)
  return resetLink?.status === 'open' ? [{ type: 'UserResetLinkRevoked', data: { linkId: resetLink.linkId } }] : []
}

/**
 * One event uses the link and changes the password, so that a crash never leaves one without the other.
 *
 * @param now ms since the epoch
 * @throws Refusal not_found, failed_precondition when another link was made, or it can no longer be used
 */
export function resetPassword(
  state: UserState,
  { linkId, passwordId }: { readonly linkId: string; readonly passwordId: string },
  now: number,
): readonly UserEvent[] {
  const { resetLink } = mustBeActive(state)
  if (resetLink?.linkId !== linkId) throw noSuchLink()
  mustBeUsable(resetLink, now)
  return [{ type: 'UserPasswordChanged', data: { passwordId, linkId } }]
}

/** @throws Refusal failed_precondition when it was used or revoked, has expired, or the password was changed without it */
export function mustBeUsable({ status, expiresAt }: ResetLink, now: number): void {
  if (status === 'used') throw usedLink()
  if (status === 'revoked') throw new Refusal('failed_precondition', 'This link was revoked.')
  if (status === 'outdated') {
    throw new Refusal('failed_precondition', 'The password has been changed since this link was made. Ask for another.')
  }
  if (now >= Date.parse(expiresAt)) {
    throw new Refusal('failed_precondition', 'This link has expired. Ask for another.')
  }
}

export function usedLink(): Refusal {
  return new Refusal('failed_precondition', 'This link has been used. Sign in, or ask for another.')
}

/** Also when another link has replaced it. */
export function noSuchLink(): Refusal {
  return new Refusal('not_found', 'No such link. Check that it is complete and the last one made, or ask for another.')
}
