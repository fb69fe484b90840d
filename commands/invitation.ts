import { Refusal } from '../domain/core/errors.ts'
import type { InvitationEvent, InvitationState, Invited } from '../domain/workspace/invitation.ts'

/** How long (ms) nobody else can use a link whose user has not been created yet: this follows within one request. */
const HELD_MS = 60_000

/**
 * Creating it again replaces its link.
 *
 * @throws Refusal failed_precondition when it was used or revoked
 */
export function createInvitation(state: InvitationState, command: Invited): readonly InvitationEvent[] {
  if (state.status === 'absent' || state.status === 'open') return [{ type: 'InvitationCreated', data: command }]
  throw state.status === 'accepted' ? used() : revoked()
}

/** Revoking twice is a no-op. @throws Refusal not_found, failed_precondition when it was used */
export function revokeInvitation(state: InvitationState): readonly InvitationEvent[] {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such invitation.')
  if (state.status === 'accepted') {
    throw new Refusal('failed_precondition', 'This invitation has been used. Remove the user instead.')
  }
  return state.status === 'open' ? [{ type: 'InvitationRevoked', data: {} }] : []
}

/**
 * Accepting it again for the same user is a no-op.
 *
 * @param now ms since the epoch
 * @param hasJoined whether a user was created by this invitation
 * @throws Refusal failed_precondition when it was used or revoked, or has expired
 */
export function acceptInvitation(
  state: InvitationState,
  userId: string,
  now: number,
  hasJoined: boolean,
): readonly InvitationEvent[] {
  const { status } = usable(state, now)
  if (status === 'open') return [{ type: 'InvitationAccepted', data: { userId } }]
  if (state.status !== 'accepted' || hasJoined) throw used()
  if (state.userId === userId) return []
  // The person who began to use it has not finished, for example because the service was stopped.
  if (now < Date.parse(state.acceptedAt) + HELD_MS) {
    throw new Refusal('failed_precondition', 'Somebody is using this invitation. Try again in a minute.')
  }
  return [{ type: 'InvitationAccepted', data: { userId } }]
}

/** @throws Refusal failed_precondition when it was revoked or has expired, not_found */
export function usable(
  state: InvitationState,
  now: number,
): Exclude<InvitationState, { status: 'absent' | 'revoked' }> {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such invitation.')
  if (state.status === 'revoked') throw revoked()
  if (now >= Date.parse(state.expiresAt)) {
    throw new Refusal('failed_precondition', 'This invitation has expired. Ask for another.')
  }
  return state
}

function revoked(): Refusal {
  return new Refusal('failed_precondition', 'This invitation was revoked.')
}

export function used(): Refusal {
  return new Refusal('failed_precondition', 'This invitation has been used. Sign in, or ask for another.')
}
