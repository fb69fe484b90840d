import { Refusal } from '../../domain/core/errors.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { OAuthApp } from './authorization.ts'
import type { Credentials } from './platform.ts'

/** The operator's apps on the platforms, and where their secrets may be sent. */
export interface OwnApps {
  /** The operator's app on a platform, or how to configure one. */
  of(platform: PlatformKey): OAuthApp | { readonly missing: string }
  /**
   * The app to request consent with: the one in `credentials`, else the operator's.
   *
   * @returns the app, and the remaining credentials
   * @throws Refusal when there is none for accounts at this address
   */
  choose(
    platform: PlatformKey,
    baseUrl: string | undefined,
    credentials: Credentials,
  ): { readonly app: OAuthApp; readonly given: Credentials }
  /**
   * Credentials with the current secret of the operator's app, if they belong to it: an account stores a copy when it is
   * connected. Credentials without a client id are matched by the secret, and then get the id.
   */
  current<T extends Partial<OAuthApp>>(platform: PlatformKey, credentials: T): T
  /** Why these credentials must not be used at this address: they contain an operator's app. */
  whyWithheld(baseUrl: string | undefined, credentials: Partial<OAuthApp>): string | undefined
}

/**
 * @param apps by platform
 * @param origins other hosts than the platforms' own that are trusted with the apps' secrets
 */
export function ownApps(apps: ReadonlyMap<string, Partial<OAuthApp>>, origins: readonly string[]): OwnApps {
  const isTrusted = (baseUrl: string | undefined) => baseUrl === undefined || origins.includes(originOf(baseUrl))

  const of = (platform: PlatformKey): OAuthApp | { readonly missing: string } => {
    const { clientId, ...app } = apps.get(platform) ?? {}
    if (clientId !== undefined) return { clientId, ...app }
    const names = ['ID', 'SECRET'].map((field) => `${platform.toUpperCase()}_CLIENT_${field}`)
    const how = `docs/platforms/${platform}.md explains how to get one.`
    return { missing: `No app is configured for ${platform}: set ${names.join(' and ')}. ${how}` }
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
    whyWithheld,
    current: (platform, credentials) => {
      const { clientId, clientSecret } = apps.get(platform) ?? {}
      if (clientId === undefined || clientSecret === undefined) return credentials
      const isOwn =
        credentials.clientId === undefined
          ? credentials.clientSecret === clientSecret
          : credentials.clientId === clientId
      return isOwn ? { ...credentials, clientId, clientSecret } : credentials
    },
    choose: (platform, baseUrl, { clientId, clientSecret, ...given }) => {
      if (clientId !== undefined)
        return { app: { clientId, ...(clientSecret !== undefined && { clientSecret }) }, given }
      const app = of(platform)
      const why = 'missing' in app ? app.missing : whyWithheld(baseUrl, app)
      if ('missing' in app || why !== undefined) {
        throw new Refusal('failed_precondition', `${why} Or pass clientId and clientSecret in the credentials.`)
      }
      return { app, given: { ...given, ...(clientSecret !== undefined && { clientSecret }) } }
    },
  }
}

function withheldFrom(baseUrl: string): string {
  const origin = originOf(baseUrl)
  return `The operator's app is used only with the platform's own host. To allow ${origin}, add it to APP_HOSTS.`
}

/** Normalized by `URL`, so that no spelling passes for another host. */
function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl
}
