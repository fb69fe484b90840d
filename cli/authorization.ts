import { Refusal } from '../domain/errors.ts'
import type { Core } from '../main.ts'
import type { OAuthApp } from '../platforms/authorization.ts'
import type { Credentials } from '../platforms/platform.ts'
import { authorizationSeals } from '../reactors/authorization-seals.ts'
import { authorizationStore } from '../reactors/authorization-store.ts'
import { beginAuthorization, type AuthorizationDeps } from '../reactors/account-authorization.ts'
import type { ConnectedAccount } from '../reactors/connect-account.ts'
import type { PlatformKey } from '../domain/platform.ts'
import { serviceUrl, type Settings } from '../system/settings.ts'
import { checkedOptions, type ConnectOptions } from './accounts.ts'
import { commandLineCause } from './cause.ts'

const LOOK_EVERY_MS = 500
const REACHABLE_TIMEOUT_MS = 5_000

export function authorizationDeps(core: Core): AuthorizationDeps {
  return {
    ...core,
    store: authorizationStore(core.db, core.vault),
    seals: authorizationSeals(core.encryptionKey),
    publicUrl: serviceUrl(core.settings),
  }
}

/**
 * Shows the link for the browser of the account's owner, and waits until the running service has connected the account.
 *
 * @param tell shows a line to the user
 * @throws Refusal when the service is not there, or with what went wrong in the browser
 */
export async function connectInBrowser(
  core: Core,
  options: ConnectOptions & { readonly credentials: Credentials },
  tell: (line: string) => void,
): Promise<ConnectedAccount> {
  const { platform, workspaceId, label, baseUrl } = await checkedOptions(core, options)
  const { app, given } = appOf(core, platform, options.credentials)
  const deps = authorizationDeps(core)
  await mustAnswer(deps.publicUrl)
  const { actor } = commandLineCause(core.ids)
  const begun = await beginAuthorization(deps, { workspaceId, platform, label, baseUrl, given, app }, actor)
  tell(`Open this in the browser of the account's owner, within ${begun.expiresInMs / 60_000} minutes:\n`)
  tell(`  ${begun.url}\n`)
  tell(`The app on ${platform} must have this redirect URI: ${begun.redirectUri}`)
  tell('Waiting for the browser to come back ... (Ctrl-C ends the waiting, not what the browser does)')

  for (;;) {
    const row = await deps.store.find(begun.id, core.clock.now())
    if (!row) throw new Refusal('failed_precondition', 'Nothing came back in time. Begin again.')
    if (row.account_id !== null) return { id: row.account_id, platform, label: row.connected_as ?? row.account_id }
    if (row.failure !== null) throw new Refusal('failed_precondition', row.failure)
    await core.clock.sleep(LOOK_EVERY_MS)
  }
}

/** The app's own fields go first by what was typed, then by the settings. */
function appOf(
  { settings }: Core,
  platform: PlatformKey,
  { clientId, clientSecret, ...given }: Credentials,
): { readonly app: OAuthApp; readonly given: Credentials } {
  if (clientId !== undefined) return { app: { clientId, ...(clientSecret !== undefined && { clientSecret }) }, given }
  const app = configuredApp(settings, platform)
  if (!('missing' in app)) return { app, given }
  throw new Refusal('failed_precondition', `${app.missing} Or give clientId and clientSecret in --credentials.`)
}

/** The app that the settings name, or what is missing of them. */
export function configuredApp(
  { apps }: Pick<Settings, 'apps'>,
  platform: PlatformKey,
): OAuthApp | { readonly missing: string } {
  const { clientId, clientSecret } = apps.get(platform) ?? {}
  if (clientId !== undefined) return { clientId, ...(clientSecret !== undefined && { clientSecret }) }
  const names = ['ID', 'SECRET'].map((field) => `${platform.toUpperCase()}_CLIENT_${field}`)
  const how = `docs/platforms/${platform}.md tells how to get one.`
  return { missing: `There is no app for ${platform}: set ${names.join(' and ')}. ${how}` }
}

async function mustAnswer(url: string): Promise<void> {
  const healthy = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(REACHABLE_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (healthy) return
  throw new Refusal(
    'failed_precondition',
    `The service does not answer at ${url}, where the browser has to reach it. Start it, or set PUBLIC_URL to where it is.`,
  )
}
