import { Refusal } from '../../domain/core/errors.ts'
import type { Login, OAuthApp } from './authorization.ts'
import { loginFor, loginNamed, type Logins } from './logins.ts'
import type { Credentials } from './platform.ts'

/** The operator's apps on the platforms, one for each login, and where their secrets may be sent. */
export interface OwnApps {
  /** The operator's app for a login, or for the first of the platform that has one; or how to configure one. */
  of(platform: Logins, login?: Login): OAuthApp | { readonly missing: string }
  /** The platform's logins that the operator has an app for. */
  ready(platform: Logins): readonly Login[]
  /**
   * The app to request consent with: the one in `credentials`, else the operator's.
   *
   * @param login its key. Default: the first that the operator has an app for
   * @returns the app, its login, and the remaining credentials
   * @throws Refusal when there is no such login, or no app for accounts at this address
   */
  choose(
    platform: Logins,
    baseUrl: string | undefined,
    credentials: Credentials,
    login?: string,
  ): { readonly app: OAuthApp; readonly given: Credentials; readonly login?: string | undefined }
  /**
   * Credentials with the current secret of the operator's app, if they belong to it: an account stores a copy when it is
   * connected. Credentials without a client id are matched by the secret, and then get the id.
   */
  current<T extends Partial<OAuthApp>>(platform: Logins, credentials: T): T
  /** Why these credentials must not be used at this address: they contain an operator's app. */
  whyWithheld(baseUrl: string | undefined, credentials: Partial<OAuthApp>): string | undefined
}

/**
 * @param apps by platform, or by the `app` of a login
 * @param origins other hosts than the platforms' own that are trusted with the apps' secrets
 */
export function ownApps(apps: ReadonlyMap<string, Partial<OAuthApp>>, origins: readonly string[]): OwnApps {
  const isTrusted = (baseUrl: string | undefined) => baseUrl === undefined || origins.includes(originOf(baseUrl))

  const appOf = ({ key }: Logins, login: Login) => apps.get(login.app ?? key) ?? {}
  const ready: OwnApps['ready'] = (platform) =>
    platform.logins.filter((login) => appOf(platform, login).clientId !== undefined)

  const of: OwnApps['of'] = (platform, login = ready(platform)[0]) => {
    const { clientId, ...app } = login ? appOf(platform, login) : {}
    return clientId === undefined ? { missing: missingApp(platform, login) } : { clientId, ...app }
  }

  const whyWithheld = (baseUrl: string | undefined, { clientId, clientSecret }: Partial<OAuthApp>) => {
    if (baseUrl === undefined || isTrusted(baseUrl)) return undefined
    // Across all platforms: one Google app serves two, and a secret stays secret wherever it was copied.
    const isOwn = [...apps.values()].some(
      (app) =>
        (clientId !== undefined && app.clientId === clientId) ||
        (clientSecret !== undefined && app.clientSecret === clientSecret),
    )
    return isOwn ? withheldFrom(baseUrl) : undefined
  }

  return {
    of,
    ready,
    whyWithheld,
    current: (platform, credentials) => {
      const own = ready(platform)
        .map((login) => appOf(platform, login))
        .find(({ clientId, clientSecret }) =>
          credentials.clientId === undefined
            ? clientSecret !== undefined && credentials.clientSecret === clientSecret
            : credentials.clientId === clientId,
        )
      const { clientId, clientSecret } = own ?? {}
      return clientId === undefined || clientSecret === undefined
        ? credentials
        : { ...credentials, clientId, clientSecret }
    },
    choose: (platform, baseUrl, { clientId, clientSecret, ...given }, key) => {
      const first = loginFor(platform, undefined)
      const named = key === undefined ? undefined : loginNamed(platform, key)
      if (clientId !== undefined) {
        const app = { clientId, ...(clientSecret !== undefined && { clientSecret }) }
        return { app, given, login: (named ?? first).key }
      }
      const login = named ?? ready(platform)[0]
      const app = of(platform, login)
      const why = 'missing' in app ? app.missing : whyWithheld(baseUrl, app)
      if ('missing' in app || why !== undefined) {
        throw new Refusal('failed_precondition', `${why} Or pass clientId and clientSecret in the credentials.`)
      }
      return { app, given: { ...given, ...(clientSecret !== undefined && { clientSecret }) }, login: login?.key }
    },
  }
}

function missingApp({ key, logins }: Logins, login: Login | undefined): string {
  const ways = (login ? [login] : logins).map(({ app = key, name }) => {
    const names = ['ID', 'SECRET'].map((field) => `${app.toUpperCase()}_CLIENT_${field}`).join(' and ')
    return name === undefined ? names : `${names} (${name})`
  })
  return `No app is configured for ${key}: set ${ways.join(', or ')}. docs/platforms/${key}.md explains how to get one.`
}

function withheldFrom(baseUrl: string): string {
  const origin = originOf(baseUrl)
  return `The operator's app is used only with the platform's own host. To allow ${origin}, add it to APP_HOSTS.`
}

/** Normalized by `URL`, so that no spelling passes for another host. */
function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl
}
