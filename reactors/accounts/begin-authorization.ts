import type { Capability } from '../../domain/account/capability.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { Actor } from '../../domain/core/event.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { OAuthApp } from '../../platforms/kit/authorization.ts'
import { loginFor } from '../../platforms/kit/logins.ts'
import type { Credentials } from '../../platforms/kit/platform.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { AuthorizationSeals } from './authorization-seals.ts'
import type { AuthorizationStore } from './authorization-store.ts'
import { mustOffer } from './consent-options.ts'
import type { ConnectDeps } from './connect-account.ts'

/** Long enough to log in, pass a second factor and review the consent screen; forgotten links expire. */
const LIFETIME_MS = 15 * 60_000

export interface AuthorizationDeps extends ConnectDeps {
  readonly store: AuthorizationStore
  readonly seals: AuthorizationSeals
  /** Undefined when there is no sandbox. */
  readonly sandbox: SandboxConsent | undefined
  /** URL at which browsers reach the service, without a trailing slash. */
  readonly publicUrl: string
  readonly logger: Logger
}

/** Where consent works without an app of the operator. */
export interface SandboxConsent {
  readonly url: string
  /** An app that is registered there. @param app the platform's, or the `app` of one of its logins */
  newApp(app: string, platform: PlatformKey, redirectUri: string): Promise<OAuthApp>
}

export interface NewAuthorization {
  readonly workspaceId: string
  readonly platform: PlatformKey
  /** The account to connect again: the consent must be for no other. Absent: any. */
  readonly accountId?: string | undefined
  readonly label?: string | undefined
  readonly baseUrl?: string | undefined
  /** Credentials supplied up front, e.g. which account to connect. */
  readonly given: Credentials
  readonly app: OAuthApp
  /** Which of the platform's logins the app is for. Absent: the first, or the only one. */
  readonly login?: string | undefined
  /** What the owner is asked to allow. Absent: all that the platform has. Publishing is always asked for. */
  readonly capabilities?: readonly Capability[] | undefined
}

export interface BegunAuthorization {
  readonly id: string
  /** The account's owner opens it in a browser. */
  readonly url: string
  /** Must be registered with the platform's app. */
  readonly redirectUri: string
  readonly expiresInMs: number
}

export function redirectUri(publicUrl: string, platform: PlatformKey): string {
  return `${publicUrl}/connect/${platform}/callback`
}

/**
 * @throws Refusal when the platform has no browser consent or lacks one of the capabilities, a field to choose up front or the app's
 *   secret is missing, or the app is withheld
 */
export async function beginAuthorization(
  deps: AuthorizationDeps,
  { workspaceId, platform, accountId, label, baseUrl, given, app, login: key, capabilities }: NewAuthorization,
  actor: Actor,
): Promise<BegunAuthorization> {
  const login = loginFor(deps.access.platform(platform), key)
  const { needsSecret, asksFor = [] } = login.authorization
  const missing = asksFor.find((field) => given[field] === undefined)
  if (missing !== undefined) {
    const what = `${platform} requires ${missing}: pass it in --credentials.`
    throw new Refusal(
      'failed_precondition',
      `${what} Run fanfare accounts connect ${platform} --help to see the accepted values.`,
    )
  }
  if (needsSecret && app.clientSecret === undefined) {
    throw new Refusal('failed_precondition', `${platform} also requires the client secret of the app.`)
  }
  mustMeet(deps, app, baseUrl)
  mustOffer(deps.access.platform(platform), login, capabilities)
  const id = resourceId('auth', deps.ids.ulid())
  const row = { id, workspace_id: workspaceId, platform, base_url: baseUrl ?? null, label: label ?? null, actor }
  await deps.store.add(row, deps.clock.now() + LIFETIME_MS, {
    app,
    login: key,
    given,
    accountId,
    capabilities: capabilities && [...capabilities],
    reached: [],
  })
  const ticket = deps.seals.seal('ticket', id)
  return {
    id,
    url: `${deps.publicUrl}/connect/${platform}?ticket=${encodeURIComponent(ticket)}`,
    redirectUri: redirectUri(deps.publicUrl, platform),
    expiresInMs: LIFETIME_MS,
  }
}

/** @throws Refusal when the app is the operator's and must not be exposed to that server */
export function mustMeet({ access }: ConnectDeps, app: OAuthApp, baseUrl: string | undefined): void {
  const withheld = access.apps.whyWithheld(baseUrl, app)
  if (withheld !== undefined) throw new Refusal('failed_precondition', withheld)
}
