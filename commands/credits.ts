import { Refusal } from '../domain/core/errors.ts'
import { chargeOf, unrefunded, type CreditsEvent, type CreditsState } from '../domain/video/credits.ts'

/** Keeps a balance well within the safe integer range. */
export const MOST_CREDITS = 1_000_000_000

/** @throws Refusal invalid_request when the balance would exceed `MOST_CREDITS` */
export function grantCredits(
  state: CreditsState,
  {
    workspaceId,
    amount,
    reason,
  }: { readonly workspaceId: string; readonly amount: number; readonly reason?: string | undefined },
): readonly CreditsEvent[] {
  const balance = state.balance + amount
  if (balance > MOST_CREDITS) {
    throw new Refusal(
      'invalid_request',
      `amount: the workspace has ${state.balance} credits and can have at most ${MOST_CREDITS}`,
    )
  }
  return [{ type: 'CreditsGranted', data: { workspaceId, amount, balance, ...(reason !== undefined && { reason }) } }]
}

/**
 * Charges for a video. Charging for the same video again is a no-op.
 *
 * @param amount more than 0
 * @throws Refusal resource_exhausted when the balance is too low
 */
export function chargeCredits(
  state: CreditsState,
  { workspaceId, videoId, amount }: { readonly workspaceId: string; readonly videoId: string; readonly amount: number },
): readonly CreditsEvent[] {
  if (chargeOf(state, videoId)) return []
  const balance = state.balance - amount
  if (balance < 0) {
    throw new Refusal(
      'resource_exhausted',
      `The video costs ${amount} credits, and the workspace has ${state.balance}. Nothing was charged.`,
    )
  }
  return [{ type: 'CreditsCharged', data: { workspaceId, amount, balance, videoId } }]
}

/** Refunds a charge in full. No-op when it was already refunded, or never made. */
export function refundCredits(
  state: CreditsState,
  {
    workspaceId,
    videoId,
    cause,
  }: { readonly workspaceId: string; readonly videoId: string; readonly cause: 'failed' | 'deleted' },
): readonly CreditsEvent[] {
  const charge = chargeOf(state, videoId)
  if (!charge || charge.isRefunded) return []
  const { amount } = charge
  const balance = state.balance + amount
  return [{ type: 'CreditsRefunded', data: { workspaceId, amount, balance, videoId, cause } }]
}

/** More charges would not fit into one event. */
const MOST_OPEN = 1_000

/**
 * Closes the books. No-op when there are no entries to close, or too many open charges: then the books stay open.
 *
 * @param isSettled whether a video can no longer fail or be canceled: its charge is then final
 */
export function closeBooks(
  state: CreditsState,
  { workspaceId, isSettled }: { readonly workspaceId: string; readonly isSettled: (videoId: string) => boolean },
): readonly CreditsEvent[] {
  const { balance, totals, full } = state
  const open = unrefunded(state)
    .filter(({ videoId }) => !isSettled(videoId))
    .map(({ videoId, amount }) => ({ videoId, amount }))
  if (totals.entries === 0 || open.length > MOST_OPEN) return []
  return [{ type: 'CreditsClosed', data: { workspaceId, balance, ...totals, open, ...(full && { full }) } }]
}
