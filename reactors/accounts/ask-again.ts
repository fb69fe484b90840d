import type { KnownAddress } from '../../domain/account/account-connection.ts'
import type { Actor } from '../../domain/core/event.ts'
import { loginFor } from '../../platforms/kit/logins.ts'
import type { Credentials, Platform } from '../../platforms/kit/platform.ts'
import { appFor as chooseApp, registersItself } from './app-for.ts'
import { beginAuthorization, redirectUri, type AuthorizationDeps } from './begin-authorization.ts'

/** What a consent yields, as all platforms call it. */
const GRANTED = /token|secret|expires|^clientId$/i

/**
 * Has the owner of an account consent once more: at the same address, by the same login, and with what was given beside the
 * consent, such as which page it is.
 *
 * @returns the URL where the owner starts
 * @throws Refusal when the platform has no such consent, or no app is set up for it
 */
export async function askAgain(deps: AuthorizationDeps, account: KnownAddress, actor: Actor): Promise<string> {
  const { id: accountId, workspaceId } = account
  const platform = deps.access.platform(account.platform)
  const stored = (await deps.vault.find(accountId)) ?? {}
  const baseUrl = account.baseUrl ?? undefined
  const chosen = await appFor(deps, platform, baseUrl, stored['login'])
  const given = givenBeside(platform, stored)
  const begin = { workspaceId, platform: platform.key, accountId, baseUrl, ...chosen, given }
  return (await beginAuthorization(deps, begin, actor)).url
}

export function canAskAgain(deps: AuthorizationDeps, platform: Platform, { baseUrl }: KnownAddress): boolean {
  if (platform.logins.length === 0) return false
  if (registersItself(platform) || isInSandbox(deps, baseUrl ?? undefined)) return true
  const { apps } = deps.access
  const app = apps.of(platform)
  return !('missing' in app) && apps.whyWithheld(baseUrl ?? undefined, app) === undefined
}

async function appFor(deps: AuthorizationDeps, platform: Platform, baseUrl: string | undefined, login?: string) {
  const { sandbox, access, publicUrl } = deps
  const address = redirectUri(publicUrl, platform.key)
  if (registersItself(platform) || !sandbox || !isInSandbox(deps, baseUrl)) {
    return chooseApp(access, platform, baseUrl, { credentials: {}, login, redirectUri: address })
  }
  const used = loginFor(platform, login)
  const app = await sandbox.newApp(used.app ?? platform.key, platform.key, address)
  return { app, login: used.key }
}

function isInSandbox({ sandbox }: AuthorizationDeps, baseUrl: string | undefined): boolean {
  return sandbox !== undefined && baseUrl?.startsWith(`${sandbox.url}/`) === true
}

function givenBeside({ credentials }: Platform, stored: Credentials): Credentials {
  const isGiven = (name: string) => name in credentials.shape && !GRANTED.test(name)
  return Object.fromEntries(Object.entries(stored).filter(([name]) => isGiven(name)))
}
