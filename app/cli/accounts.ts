import {
  account,
  AUTOMATION_MODES,
  NO_AUTOMATION,
  type AccountState,
  type Automation,
} from '../../domain/account/account.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { isPlatformKey, PLATFORM_KEYS } from '../../domain/core/platform.ts'
import { handle } from '../../commands/handle.ts'
import { setAutomation } from '../../commands/set-automation.ts'
import { setBackgroundReading } from '../../commands/set-background-reading.ts'
import { setPostDefaults } from '../../commands/set-post-defaults.ts'
import type { Core } from '../wiring/core.ts'
import { inDollars, type Costs } from '../../platforms/kit/costs.ts'
import type { Credentials } from '../../platforms/kit/platform.ts'
import { connectedAccounts, findAccount, standingOf } from '../../projections/models/accounts.ts'
import {
  connectWithCredentials,
  forgetAccount,
  type ConnectedAccount,
} from '../../reactors/accounts/connect-account.ts'
import { check } from '../../api/http/validation.ts'
import { shownReading } from '../../api/kit/background-reading.ts'
import { checkedDefaults } from '../../api/kit/post-defaults.ts'
import { createDestinations } from '../../reactors/accounts/destinations.ts'
import { parseBaseUrl } from '../../infra/runtime/base-url.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

export interface ConnectOptions {
  readonly platform: string
  readonly workspace: string
  readonly label?: string | undefined
  readonly baseUrl?: string | undefined
}

/** @throws Refusal as `connectWithCredentials`, and for invalid options */
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

/** @throws Refusal naming the invalid option */
export async function checkedOptions(core: Core, { platform, workspace, label, baseUrl }: ConnectOptions) {
  if (!isPlatformKey(platform)) {
    throw new Refusal('invalid_request', `${platform} is not a platform; choose one of ${PLATFORM_KEYS.join(', ')}`)
  }
  const parsed = baseUrl === undefined ? { url: undefined } : parseBaseUrl(baseUrl)
  if ('wrong' in parsed) throw new Refusal('invalid_request', `--base-url ${parsed.wrong}`)
  return { platform, workspaceId: (await oneWorkspace(core, workspace)).id, label, baseUrl: parsed.url }
}

export async function accountsOf(core: Core, workspace: string) {
  const { id } = await oneWorkspace(core, workspace)
  return (await connectedAccounts(core.db, id)).map((row) => {
    const { id, platform, label, baseUrl, connectedAt, automation } = row
    return {
      id,
      platform,
      label,
      ...standingOf(row, core.clock.now()),
      ...(baseUrl === null ? {} : { baseUrl }),
      automation: automation.mode,
      backgroundReading: shownReading(row, core.access.costsOf).isOn ? 'on' : 'off',
      connectedAt,
    }
  })
}

/** @throws Refusal as `setAutomation`, and for an unknown mode */
export async function automate(
  core: Core,
  id: string,
  { mode, instruction }: { readonly mode?: string | undefined; readonly instruction?: string | undefined },
): Promise<{ id: string } & Automation> {
  const known = AUTOMATION_MODES.find((one) => one === mode)
  if (mode !== undefined && known === undefined) {
    throw new Refusal('invalid_request', `${mode} is not a mode; choose one of ${AUTOMATION_MODES.join(', ')}`)
  }
  const change = { ...(known && { mode: known }), ...(instruction !== undefined && { instruction }) }
  const decide = (state: AccountState) => setAutomation(state, change)
  const handled = await handle(core, account, id, commandLineCause(core.ids), decide)
  await settled(core, handled)
  return { id, ...('automation' in handled.state ? handled.state.automation : NO_AUTOMATION) }
}

/** @throws Refusal as `setBackgroundReading`, and for an unknown value */
export async function readInBackground(
  core: Core,
  id: string,
  value: string,
): Promise<{ id: string; backgroundReading: string; note?: string }> {
  if (value !== 'on' && value !== 'off') {
    throw new Refusal('invalid_request', `${value} is not a value; choose on or off`)
  }
  const decide = (state: AccountState) => setBackgroundReading(state, value === 'on')
  const handled = await handle(core, account, id, commandLineCause(core.ids), decide)
  await settled(core, handled)
  const costs = handled.state.status === 'absent' ? undefined : core.access.costsOf(handled.state)
  const note = value === 'on' && costs ? readingCosts(costs) : undefined
  return { id, backgroundReading: value, ...(note !== undefined && { note }) }
}

function readingCosts({ kinds, asOf }: Costs): string {
  const read = Object.values(kinds).filter(({ isRead }) => isRead)
  const prices = read.map(({ label, microUsd }) => `${inDollars(microUsd)} for each of the ${label}`)
  return `The platform charges ${prices.join(' and ')}, once a day (prices of ${asOf})`
}

/**
 * Sets what posts of an account have that do not set it; without fields, shows it.
 *
 * @param fields as `boardId=549755885175`
 * @throws Refusal as `setPostDefaults`, naming a wrong field
 */
export async function postDefaults(
  core: Core,
  id: string,
  fields: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const row = await findAccount(core.db, id)
  if (!row) throw new Refusal('not_found', `There is no account ${id}.`)
  if (fields.length === 0) return { id, ...row.postDefaults }
  const given = Object.fromEntries(
    fields.map((field) => {
      const [name = '', ...value] = field.split('=')
      if (name === '' || value.length === 0)
        throw new Refusal('invalid_request', `${field} is not of the form name=value`)
      return [name, value.join('=')]
    }),
  )
  const schema = core.access.platform(row.platform).postDefaults?.schema
  const options = checkedDefaults({ key: row.platform, postDefaults: schema }, given, 'defaults')
  const decide = (state: AccountState) => setPostDefaults(state, options)
  await settled(core, await handle(core, account, id, commandLineCause(core.ids), decide))
  return { id, ...options }
}

/** @throws Refusal with the platform's message when it refuses */
export async function destinations(core: Core, id: string) {
  if (!(await findAccount(core.db, id))) throw new Refusal('not_found', `There is no account ${id}.`)
  const read = createDestinations({ ...core, signal: new AbortController().signal })
  return (await read(id)).map(({ label, options, isDefault }) => ({ label, ...options, isDefault }))
}

export async function disconnect(core: Core, id: string): Promise<{ id: string; connected: false }> {
  await settled(core, await forgetAccount(core, id, commandLineCause(core.ids)))
  return { id, connected: false }
}
