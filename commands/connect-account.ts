import type { AccountEvent, AccountState } from '../domain/account/account.ts'
import { CAPABILITIES, notGranted, type Capability } from '../domain/account/capability.ts'
import { Refusal } from '../domain/core/errors.ts'

export type ConnectAccount = Extract<AccountEvent, { type: 'AccountConnected' }>['data']

/** What is known of the access, beside the account itself. */
export interface GrantedAccess {
  /** Who granted it, where the platform's id of that person is not the account's. */
  readonly ownerId?: string | undefined
  /** The permissions that capabilities lack; none where the owner did not allow the capability. Absent: none, or unknown. */
  readonly lacking?: Readonly<Partial<Record<Capability, readonly string[]>>> | undefined
  /** For an account that has none yet: connecting again must not send posts elsewhere. */
  readonly postDefaults?: Readonly<Record<string, unknown>> | undefined
}

/**
 * @throws Refusal forbidden when the id belongs to another workspace or another account of the platform
 */
export function connectAccount(
  state: AccountState,
  command: ConnectAccount,
  { ownerId, lacking = {}, postDefaults }: GrantedAccess = {},
): readonly AccountEvent[] {
  if (
    state.status !== 'absent' &&
    (state.workspaceId !== command.workspaceId ||
      state.platform !== command.platform ||
      state.externalId !== command.externalId)
  ) {
    throw new Refusal('forbidden', 'This account id belongs to another account.')
  }
  const owner = ownerId === undefined ? [] : [{ type: 'AccountOwnerIdentified', data: { ownerId } } as const]
  const limited = CAPABILITIES.flatMap((capability) => {
    const permissions = lacking[capability]
    if (!permissions) return []
    return [{ type: 'AccountLimited', data: { capability, ...notGranted(capability, permissions) } } as const]
  })
  const keepsDefaults = state.status === 'connected' && state.postDefaults !== undefined
  const defaults =
    keepsDefaults || !postDefaults ? [] : [{ type: 'PostDefaultsSet', data: { options: postDefaults } } as const]
  return [{ type: 'AccountConnected', data: command }, ...owner, ...limited, ...defaults]
}

/** Of an account that was connected before its owner was asked for. */
export function identifyOwner(state: AccountState, ownerId: string): readonly AccountEvent[] {
  const isMissing = state.status === 'connected' && state.ownerId === undefined
  return isMissing ? [{ type: 'AccountOwnerIdentified', data: { ownerId } }] : []
}
