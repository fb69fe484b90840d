import { account } from '../domain/account.ts'
import { Refusal } from '../domain/errors.ts'
import { isPlatformKey, PLATFORM_KEYS } from '../domain/platform.ts'
import { disconnectAccount } from '../commands/disconnect-account.ts'
import { handle } from '../commands/handle.ts'
import type { Core } from '../main.ts'
import type { Credentials } from '../platforms/platform.ts'
import { connectedAccounts, standingOf } from '../projections/accounts.ts'
import { checkedBaseUrl, connectWithCredentials, type ConnectedAccount } from '../reactors/connect-account.ts'
import { check } from '../api/validation.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

export interface ConnectOptions {
  readonly platform: string
  readonly workspace: string
  readonly label?: string | undefined
  readonly baseUrl?: string | undefined
}

/** @throws Refusal as `connectWithCredentials`, and for options that can't be meant */
export async function connect(
  core: Core,
  { credentials, ...options }: ConnectOptions & { readonly credentials: Credentials },
): Promise<ConnectedAccount> {
  const { platform, workspaceId, label, baseUrl } = await checkedOptions(core, options)
  const given = check(core.access.platform(platform).credentials, credentials, '--credentials') as Credentials
  const account = { workspaceId, platform, label, baseUrl, credentials: given }
  const { position, ...connected } = await connectWithCredentials(core, account, commandLineCause(core.ids))
  await settled(core, position === undefined ? {} : { position })
  return connected
}

/** @throws Refusal naming the option that is wrong */
export async function checkedOptions(core: Core, { platform, workspace, label, baseUrl }: ConnectOptions) {
  if (!isPlatformKey(platform)) {
    throw new Refusal('invalid_request', `${platform} is not a platform; give one of ${PLATFORM_KEYS.join(', ')}`)
  }
  const checked = checkedBaseUrl(baseUrl)
  return { platform, workspaceId: (await oneWorkspace(core, workspace)).id, label, baseUrl: checked }
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
