import type { Test } from 'tap'
import * as z from 'zod'
import { CAPABILITIES, type Capability } from '../../domain/account/capability.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { AuthorizationCode, Login, OAuthApp } from '../../platforms/kit/authorization.ts'
import { loginOf } from '../../platforms/kit/logins.ts'
import { scopesFor } from '../../platforms/kit/permissions.ts'
import type { Credentials } from '../../platforms/kit/platform.ts'
import { platforms } from '../../platforms/registry.ts'
import { beginAuthorization, redirectUri } from '../../reactors/accounts/begin-authorization.ts'
import { authorizationDepsOf, givenApi } from './api.ts'
import { consent, consentUrlAt, givenBrowser, type Page } from './browser.ts'
import { givenAccount, ids, ioOf, postJson, type SandboxAccount } from './sandbox.ts'
import { vaultOf } from './world.ts'

const appSchema = z.object({ clientId: z.string(), clientSecret: z.string(), configId: z.string().optional() })

/**
 * A service, an app that is registered on a platform of the sandbox, and accounts there whose owners may consent.
 *
 * @param has what the app may ask for
 */
export async function givenPlatform(
  t: Test,
  platform: PlatformKey,
  named: readonly { readonly externalId?: string; readonly label?: string }[] = [{}],
  has: {
    readonly scopes?: readonly string[]
    readonly products?: readonly string[]
    readonly isConfigured?: boolean
    /** Whose app it is. Default: the platform's own. */
    readonly app?: PlatformKey
  } = {},
) {
  // Whoever publishes projects by itself.
  const api = await givenApi(t, { projecting: false })
  const { world } = api
  const deps = authorizationDepsOf(world)
  const accounts: SandboxAccount[] = []
  for (const each of named) accounts.push(await givenAccount(world.http, world.sandbox, platform, each))
  const callback = redirectUri(deps.publicUrl, platform)
  const { app: appOf = platform, ...rest } = has
  const registered = { ...rest, platform: appOf, redirectUri: callback }
  const app = appSchema.parse((await postJson(world.http, `${world.sandbox.url}/_control/apps`, registered)).json())
  const baseUrl = `${world.sandbox.url}/${platform}`
  const [owner] = accounts
  if (!owner) throw new Error('there is no account')

  /** Begins, and has the owner answer on a page that `change` may have altered. @returns the page in the end */
  const connect = async (
    options: {
      readonly given?: Credentials
      readonly workspaceId?: string
      readonly app?: OAuthApp
      /** Whose owner consents. Default: the first. */
      readonly as?: SandboxAccount | undefined
      readonly login?: string
      readonly change?: (url: URL) => void
      readonly decision?: 'allow' | 'deny'
      /** Capabilities that the owner unchecks on our page, and scopes on the platform's. */
      readonly unchecked?: readonly string[]
      readonly declined?: readonly string[]
      readonly capabilities?: readonly Capability[]
    } = {},
  ) => {
    const browser = givenBrowser(api.app)
    const begin = {
      workspaceId: options.workspaceId ?? world.workspaceId,
      platform,
      baseUrl,
      given: options.given ?? {},
      app: options.app ?? app,
      login: options.login,
      capabilities: options.capabilities,
    }
    const begun = await beginAuthorization(deps, begin, { kind: 'cli', id: 'tester' })
    const url = new URL(await consentUrlAt(browser, begun.url, options.unchecked))
    options.change?.(url)
    const back = await consent(
      url.href,
      (options.as ?? owner).externalId,
      options.decision ?? 'allow',
      options.declined,
    )
    const page = await browser.visit(back)
    return {
      page,
      choose: (...choices: readonly number[]) => {
        const chosen = choices.map((choice): [string, string] => ['choice', `${choice}`])
        return browser.submit(`/connect/${platform}/choice`, [['ticket', ticketOn(page)], ...chosen])
      },
      row: () => deps.store.find(begun.id, world.clock.now()),
      kept: async () => vaultOf(world).get((await deps.store.find(begun.id, world.clock.now()))?.account_id ?? ''),
    }
  }

  /** A code that was given for the whole of what is asked. */
  const flow = authorizationOf(platform)
  const consented = async (): Promise<string> => {
    const request = {
      scopes: allScopes(platform),
      redirectUri: callback,
      state: ids.token(),
      challenge: 'c'.repeat(43),
    }
    const back = await consent(flow.consentUrl(app, request, baseUrl), owner.externalId, 'allow')
    return new URL(back).searchParams.get('code') ?? back
  }
  const { credentials: _, ...io } = ioOf(world.http, {}, { clock: world.clock })
  return {
    ...{ api, world, app, accounts, owner, baseUrl, callback, connect, consented, io },
    exchange: (code: string, more: { readonly redirectUri?: string } = {}) =>
      flow.exchange(app, { code, redirectUri: callback, verifier: 'v'.repeat(43), ...more }, baseUrl, io),
  }
}

/** All that the platform can be asked for. @param chosen by the owner beforehand */
export function allScopes(platform: PlatformKey, chosen: Credentials = {}): readonly string[] {
  return scopesFor(loginAt(platform), CAPABILITIES, chosen)
}

export function authorizationOf(platform: PlatformKey): AuthorizationCode {
  return loginAt(platform).authorization
}

function loginAt(platform: PlatformKey, key?: string): Login {
  const login = loginOf(platforms[platform], key)
  if (!login) throw new Error(`${platform} has no consent in a browser`)
  return login
}

/** The accounts that a page offers. */
export function choicesOn({ body }: Page): readonly string[] {
  return [...body.matchAll(/<label><input [^>]*> ([^<]*)<\/label>/g)].map(([, label = '']) => label)
}

function ticketOn({ body }: Page): string {
  return /name="ticket" value="([^"]*)"/.exec(body)?.[1] ?? ''
}
