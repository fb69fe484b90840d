import type { AccountConnection, AccountRequest, Connectable } from '../domain/account-connection.ts'
import { Refusal } from '../domain/errors.ts'
import { MEDIA_TYPES, PLATFORM_KEYS, type PlatformKey } from '../domain/platform.ts'
import type { OAuthApp } from '../platforms/authorization.ts'
import type { Platform } from '../platforms/platform.ts'
import { beginAuthorization, type AuthorizationDeps } from './account-authorization.ts'
import { connectWithCredentials, forgetAccount } from './connect-account.ts'

/** Longer than what any platform takes. */
const LONGEST_CAPTION = 100_000

/** @param appOf the app that this installation has on a platform, or what has to be set for one */
export function accountConnection(
  deps: AuthorizationDeps,
  appOf: (platform: PlatformKey) => OAuthApp | { readonly missing: string },
): AccountConnection {
  const connectable = (key: PlatformKey): Connectable => {
    const platform = deps.access.platform(key)
    return {
      key,
      credentials: platform.credentials,
      consent: consentOf(platform, appOf(key)),
      media: MEDIA_TYPES.filter((type) => platform.takes[type] !== undefined),
      captionLimit: captionLimitOf(platform),
    }
  }
  return {
    platforms: PLATFORM_KEYS.map(connectable),
    connect: (request, by) => connectWithCredentials(deps, request, by),
    askConsent: async ({ credentials: given, ...request }: AccountRequest, { actor }) => {
      const app = appOf(request.platform)
      if ('missing' in app) throw new Refusal('failed_precondition', app.missing)
      return (await beginAuthorization(deps, { ...request, given, app }, actor)).url
    },
    disconnect: (id, by) => forgetAccount(deps, id, by),
  }
}

function consentOf({ authorization }: Platform, app: OAuthApp | { readonly missing: string }): Connectable['consent'] {
  if (!authorization) return { kind: 'none' }
  return 'missing' in app
    ? { kind: 'unconfigured', missing: app.missing }
    : { kind: 'ready', asksFor: authorization.asksFor ?? [] }
}

/** The longest plain text that the platform's own rules let pass with any of its media. */
function captionLimitOf({ takes, check }: Platform): number {
  const types = MEDIA_TYPES.filter((type) => takes[type] !== undefined)
  const passes = (length: number) =>
    types.every((mediaType) => check({ text: 'a'.repeat(length), mediaType }, undefined).length === 0)
  let [most, over] = [0, LONGEST_CAPTION]
  while (over - most > 1) {
    const middle = (most + over) >> 1
    if (passes(middle)) most = middle
    else over = middle
  }
  return most
}
