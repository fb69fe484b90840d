import { Refusal } from '../domain/core/errors.ts'
import type { UserEvent, UserState } from '../domain/workspace/user.ts'
import { mustBeActive } from './user.ts'

/** @throws Refusal not_found, failed_precondition when it is on already */
export function enableTotp(state: UserState, totpId: string): readonly UserEvent[] {
  if (mustBeActive(state).totpId !== undefined) {
    throw new Refusal('failed_precondition', 'Two-step sign-in is on already. Turn it off to use another app.')
  }
  return [{ type: 'UserTotpEnabled', data: { totpId } }]
}

/** A no-op when it is off. @throws Refusal not_found */
export function disableTotp(state: UserState): readonly UserEvent[] {
  const { totpId } = mustBeActive(state)
  return totpId === undefined ? [] : [{ type: 'UserTotpDisabled', data: { totpId } }]
}

/** @throws Refusal not_found */
export function useRecoveryCode(state: UserState, totpId: string, left: number): readonly UserEvent[] {
  mustBeActive(state)
  return [{ type: 'UserRecoveryCodeUsed', data: { totpId, left } }]
}
