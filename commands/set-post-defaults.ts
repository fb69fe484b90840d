import type { AccountEvent, AccountState } from '../domain/account/account.ts'
import { Refusal } from '../domain/core/errors.ts'

/**
 * Sets what the posts of an account have that do not set it themselves.
 *
 * @param options checked against the platform's schema
 * @throws Refusal not_found, failed_precondition when the account is disconnected
 */
export function setPostDefaults(
  state: AccountState,
  options: Readonly<Record<string, unknown>>,
): readonly AccountEvent[] {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such account.')
  if (state.status === 'disconnected') throw new Refusal('failed_precondition', 'The account is no longer connected.')
  return JSON.stringify(state.postDefaults) === JSON.stringify(options)
    ? []
    : [{ type: 'PostDefaultsSet', data: { options } }]
}

/** Stores the first defaults of a connected account that has none. */
export function keepPostDefaults(
  state: AccountState,
  options: Readonly<Record<string, unknown>>,
): readonly AccountEvent[] {
  const isMissing = state.status === 'connected' && state.postDefaults === undefined
  return isMissing ? [{ type: 'PostDefaultsSet', data: { options } }] : []
}
