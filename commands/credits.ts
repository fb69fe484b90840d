import { Refusal } from '../domain/core/errors.ts'
import { chargeOf, type CreditsEvent, type CreditsState } from '../domain/video/credits.ts'
import type { VideoSettings } from '../domain/video/video-events.ts'

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
  {
    videoId,
    amount,
    settings,
  }: { readonly videoId: string; readonly amount: number; readonly settings: VideoSettings },
): readonly CreditsEvent[] {
  if (chargeOf(state, videoId)) return []
  const balance = state.balance - amount
  if (balance < 0) {
    throw new Refusal(
      'resource_exhausted',
      `The video costs ${amount} credits, and the workspace has ${state.balance}. Nothing was charged.`,
    )
  }
  const { workspaceId } = settings
  return [{ type: 'CreditsCharged', data: { workspaceId, amount, balance, videoId, settings } }]
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
