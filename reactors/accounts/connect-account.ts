import { account } from '../../domain/account/account.ts'
import { notGranted } from '../../domain/account/capability.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { connectAccount } from '../../commands/connect-account.ts'
import { disconnectAccount } from '../../commands/disconnect-account.ts'
import { handle, type Cause, type CommandDeps } from '../../commands/handle.ts'
import { keepPostDefaults } from '../../commands/set-post-defaults.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { lackingIn } from '../../platforms/kit/permissions.ts'
import { PlatformError, type Credentials } from '../../platforms/kit/platform.ts'
import { findAccountByExternalId } from '../../projections/models/accounts.ts'
import type { Ceilings } from '../../projections/models/ceilings.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { resourceId, type Ids } from '../../infra/runtime/ids.ts'
import { endAccess } from './end-access.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'

const CONNECT_TIMEOUT_MS = 25_000

export interface ConnectDeps extends CommandDeps {
  readonly db: Database
  readonly vault: Vault
  readonly ids: Ids
  readonly access: PlatformAccess
  readonly ceilings: Ceilings
  readonly seen: Pick<Seen, 'waitFor'>
}

export interface NewAccount {
  readonly workspaceId: string
  readonly platform: PlatformKey
  /** The account to connect again: the credentials must be for no other. Absent: any. */
  readonly accountId?: string | undefined
  /** Default: what a connected account is called already, else its name on the platform. */
  readonly label?: string | undefined
  readonly baseUrl?: string | undefined
  readonly credentials: Credentials
}

export interface ConnectedAccount {
  readonly id: string
  readonly platform: PlatformKey
  readonly label: string
}

/**
 * Verifies the credentials with one harmless call, stores them in the vault, and connects the account. Reconnecting an account
 * keeps its id and replaces its credentials.
 *
 * @throws Refusal with the platform's own message when it rejects the credentials
 */
export async function connectWithCredentials(
  deps: ConnectDeps,
  { workspaceId, platform, baseUrl, ...given }: NewAccount,
  cause: Cause,
): Promise<ConnectedAccount & { readonly position?: bigint }> {
  const withheld = deps.access.apps.whyWithheld(baseUrl, given.credentials)
  if (withheld !== undefined) throw new Refusal('failed_precondition', withheld)
  const verified = await deps.access
    .connecting(CONNECT_TIMEOUT_MS, (io) => deps.access.platform(platform).connect(given.credentials, baseUrl, io))
    .catch((error: unknown) => {
      throw error instanceof PlatformError ? new Refusal('failed_precondition', error.message) : error
    })
  const { externalId, ownerId } = verified
  const credentials = { ...grantIn(given.credentials), ...verified.credentials }
  const lacking = lackingIn(deps.access.platform(platform), credentials)
  if (lacking.publishing) throw new Refusal('failed_precondition', notGranted('publishing', lacking.publishing).reason)
  const known = await findAccountByExternalId(deps.db, { workspaceId, platform, externalId })
  if (given.accountId !== undefined && given.accountId !== known?.id) {
    throw new Refusal(
      'failed_precondition',
      `This is the access to ${verified.label}, another account. Sign in as the account that is to be reconnected.`,
    )
  }
  const id = known?.id ?? resourceId('acc', deps.ids.ulid())
  const defaultsIn = deps.access.platform(platform).postDefaults?.from
  const label = given.label ?? (known?.connected ? known.label : verified.label)
  const command = { workspaceId, platform, externalId, label, ...(baseUrl === undefined ? {} : { baseUrl }) }
  const { position } = await deps.ceilings.adding('accounts', { workspaceId, id }, async () => {
    const earlier = defaultsIn && known?.connected ? await deps.vault.find(id) : undefined
    if (earlier) {
      // An account from before its posts had defaults keeps what its credentials say, whatever happens once they are replaced.
      const first = { ...cause, commandId: derivedId(cause.commandId, 'defaults') }
      await handle(deps, account, id, first, (state) => keepPostDefaults(state, defaultsIn?.(earlier) ?? {}))
    }
    // Credentials first: a connected account always has some.
    await deps.vault.put(workspaceId, id, deps.access.apps.current(deps.access.platform(platform), credentials))
    const handled = await handle(deps, account, id, cause, (state) =>
      connectAccount(state, command, { ownerId, lacking, postDefaults: defaultsIn?.(credentials) }),
    )
    if (handled.position !== undefined) await deps.seen.waitFor(handled.position)
    return handled
  })
  return { id, platform, label, ...(position === undefined ? {} : { position }) }
}

/** What was granted and allowed, and by which login: connectors do not know these fields. */
function grantIn({ scopes, capabilities, login }: Credentials): Credentials {
  return {
    ...(scopes !== undefined && { scopes }),
    ...(capabilities !== undefined && { capabilities }),
    ...(login !== undefined && { login }),
  }
}

/**
 * Disconnects an account, revokes its access on the platform and deletes its credentials. If the platform cannot be reached, that
 * is tried again later (`reactors/privacy/retain.ts`).
 *
 * @throws Refusal not_found
 */
export async function forgetAccount(
  deps: CommandDeps & Pick<ConnectDeps, 'db' | 'vault' | 'access'>,
  id: string,
  cause: Cause,
): Promise<{ readonly position?: bigint }> {
  const { state, position } = await handle(deps, account, id, cause, disconnectAccount)
  if (state.status === 'disconnected') await endAccess(deps, { ...state, id })
  return position === undefined ? {} : { position }
}
