import { CAPABILITIES, type Capability } from '../../domain/account/capability.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { Core } from '../wiring/core.ts'
import type { Credentials } from '../../platforms/kit/platform.ts'
import { appFor, registersItself } from '../../reactors/accounts/app-for.ts'
import { beginAuthorization, redirectUri } from '../../reactors/accounts/begin-authorization.ts'
import { connectedBy } from '../../reactors/accounts/authorization-store.ts'
import type { ConnectedAccount } from '../../reactors/accounts/connect-account.ts'
import { checkedOptions, type ConnectOptions } from './accounts.ts'
import { authorizationDeps } from '../wiring/authorization.ts'
import { commandLineCause } from './cause.ts'

const LOOK_EVERY_MS = 500
const REACHABLE_TIMEOUT_MS = 5_000

/**
 * Shows the link to open in the account owner's browser, and waits until the running service has connected the account, or each of
 * those that the owner chose.
 *
 * @param tell shows a line to the user
 * @throws Refusal if the service is not running, or with what went wrong in the browser
 */
export async function connectInBrowser(
  core: Core,
  options: ConnectOptions & {
    readonly credentials: Credentials
    readonly allow?: string | undefined
    readonly login?: string | undefined
  },
  tell: (line: string) => void,
): Promise<ConnectedAccount | readonly ConnectedAccount[]> {
  const { platform, workspaceId, label, baseUrl } = await checkedOptions(core, options)
  const connector = core.access.platform(platform)
  const capabilities = options.allow === undefined ? undefined : capabilitiesIn(options.allow)
  const deps = authorizationDeps(core, await core.derivationSecret())
  await mustAnswer(deps.publicUrl)
  const chosen = await appFor(core.access, connector, baseUrl, {
    ...{ credentials: options.credentials, login: options.login },
    redirectUri: redirectUri(deps.publicUrl, platform),
  })
  const { actor } = commandLineCause(core.ids)
  const begun = await beginAuthorization(
    deps,
    { workspaceId, platform, label, baseUrl, capabilities, ...chosen },
    actor,
  )
  tell(`Open this link in the browser of the account's owner within ${begun.expiresInMs / 60_000} minutes:\n`)
  tell(`  ${begun.url}\n`)
  if (!registersItself(connector)) tell(`The app on ${platform} must have this redirect URI: ${begun.redirectUri}`)
  tell('Waiting for the browser to return ... (Ctrl-C stops the waiting, not the sign-in in the browser)')

  for (;;) {
    const row = await deps.store.find(begun.id, core.clock.now())
    if (!row) throw new Refusal('failed_precondition', 'The browser did not return in time. Start again.')
    const [only, ...others] = connectedBy(row)
    if (only && row.failure !== null) tell(row.failure)
    if (only)
      return others.length === 0 ? { ...only, platform } : [only, ...others].map((one) => ({ ...one, platform }))
    if (row.failure !== null) throw new Refusal('failed_precondition', row.failure)
    await core.clock.sleep(LOOK_EVERY_MS)
  }
}

/** @throws Refusal naming a word that is no capability */
function capabilitiesIn(list: string): readonly Capability[] {
  return list.split(',').map((word) => {
    const known = CAPABILITIES.find((each) => each === word.trim())
    if (known) return known
    throw new Refusal('invalid_request', `--allow: ${word} is not one of ${CAPABILITIES.join(', ')}`)
  })
}

async function mustAnswer(url: string): Promise<void> {
  const healthy = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(REACHABLE_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (healthy) return
  throw new Refusal(
    'failed_precondition',
    `The service does not respond at ${url}, where the browser must reach it. Start it, or set PUBLIC_URL to its address.`,
  )
}
