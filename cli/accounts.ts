import { account } from '../domain/account.ts'
import { Refusal } from '../domain/errors.ts'
import { isPlatformKey, PLATFORM_KEYS, type PlatformKey } from '../domain/platform.ts'
import { connectAccount } from '../commands/connect-account.ts'
import { disconnectAccount } from '../commands/disconnect-account.ts'
import { handle } from '../commands/handle.ts'
import type { Core } from '../main.ts'
import { PlatformError, type Credentials } from '../platforms/platform.ts'
import { connectedAccounts, findAccountByExternalId, standingOf } from '../projections/accounts.ts'
import { resourceId } from '../system/ids.ts'
import { check } from '../api/validation.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

const CONNECT_TIMEOUT_MS = 30_000

export interface ConnectedAccount {
  readonly id: string
  readonly platform: PlatformKey
  readonly label: string
}

/**
 * Checks the credentials with one harmless call, keeps them in the vault, and connects the account. The same account of a
 * platform connected again keeps its id and gets the new credentials.
 *
 * @throws Refusal with the platform's own words when it does not take the credentials
 */
export async function connect(
  core: Core,
  options: {
    readonly platform: string
    readonly workspace: string
    readonly label?: string | undefined
    readonly credentials: Credentials
    readonly baseUrl?: string | undefined
  },
): Promise<ConnectedAccount> {
  const { platform } = options
  if (!isPlatformKey(platform)) {
    throw new Refusal('invalid_request', `${platform} is not a platform; give one of ${PLATFORM_KEYS.join(', ')}`)
  }
  const baseUrl = options.baseUrl?.replace(/\/+$/, '')
  if (baseUrl !== undefined && !/^https?:\/\//.test(baseUrl)) {
    throw new Refusal('invalid_request', '--base-url must begin with http:// or https://')
  }
  const { id: workspaceId } = await oneWorkspace(core, options.workspace)
  const connector = core.access.platform(platform)
  const given = check(connector.credentials, options.credentials, '--credentials') as Credentials
  const verified = await core.access.connect(platform, given, baseUrl, CONNECT_TIMEOUT_MS).catch((error: unknown) => {
    throw error instanceof PlatformError ? new Refusal('failed_precondition', error.message) : error
  })

  const { externalId } = verified
  const known = await findAccountByExternalId(core.db, { workspaceId, platform, externalId })
  const id = known?.id ?? resourceId('acc', core.ids.ulid())
  const label = options.label ?? verified.label
  // Credentials first: an account that is connected always has some.
  await core.vault.put(workspaceId, id, verified.credentials)
  const command = { workspaceId, platform, externalId, label, ...(baseUrl === undefined ? {} : { baseUrl }) }
  await settled(
    core,
    await handle(core, account, id, commandLineCause(core.ids), (state) => connectAccount(state, command)),
  )
  return { id, platform, label }
}

export async function accountsOf(core: Core, workspace: string) {
  const { id } = await oneWorkspace(core, workspace)
  return (await connectedAccounts(core.db, id)).map((row) => {
    const { id, platform, label, base_url, connected_at } = row
    return {
      id,
      platform,
      label,
      ...standingOf(row, core.clock.now()),
      ...(base_url === null ? {} : { baseUrl: base_url }),
      connectedAt: connected_at,
    }
  })
}

export async function disconnect(core: Core, id: string): Promise<{ id: string; connected: false }> {
  await settled(core, await handle(core, account, id, commandLineCause(core.ids), disconnectAccount))
  await core.vault.remove(id)
  return { id, connected: false }
}
