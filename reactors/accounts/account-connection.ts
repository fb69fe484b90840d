import type {
  AccountAccess,
  AccountConnection,
  Connectable,
  ConsentRequest,
} from '../../domain/account/account-connection.ts'
import { MEDIA_TYPES, PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import { accessEnd } from '../../platforms/kit/access-end.ts'
import { loginOf } from '../../platforms/kit/logins.ts'
import type { OwnApps } from '../../platforms/kit/own-apps.ts'
import { capabilitiesOf, lackingIn } from '../../platforms/kit/permissions.ts'
import type { Credentials, Platform } from '../../platforms/kit/platform.ts'
import { appFor, registersItself } from './app-for.ts'
import { beginAuthorization, redirectUri, type AuthorizationDeps } from './begin-authorization.ts'
import { askAgain, canAskAgain } from './ask-again.ts'
import { connectWithCredentials, forgetAccount } from './connect-account.ts'

export function accountConnection(deps: AuthorizationDeps): AccountConnection {
  const { apps } = deps.access
  const connectable = (key: PlatformKey): Connectable => {
    const platform = deps.access.platform(key)
    return {
      key,
      credentials: platform.credentials,
      capabilities: capabilitiesOf(platform),
      consent: consentOf(platform, apps),
      server: platform.server,
      media: MEDIA_TYPES.filter((type) => platform.takes[type] !== undefined),
      canEdit: platform.edit !== undefined,
      captionLimit: captionLimitOf(platform),
      postDefaults: platform.postDefaults?.schema,
    }
  }
  return {
    platforms: PLATFORM_KEYS.map(connectable),
    connect: (request, by) => connectWithCredentials(deps, request, by),
    askConsent: async ({ credentials, login, ...request }: ConsentRequest, { actor }) => {
      const platform = deps.access.platform(request.platform)
      const address = redirectUri(deps.publicUrl, platform.key)
      const chosen = await appFor(deps.access, platform, request.baseUrl, { credentials, login, redirectUri: address })
      return (await beginAuthorization(deps, { ...request, ...chosen }, actor)).url
    },
    accessTo: async (account) => {
      const platform = deps.access.platform(account.platform)
      const granted = accessIn(platform, (await deps.vault.find(account.id)) ?? {})
      return { ...granted, canConsent: canAskAgain(deps, platform, account) }
    },
    askAgain: (account, { actor }) => askAgain(deps, account, actor),
    disconnect: (id, by) => forgetAccount(deps, id, by),
  }
}

function accessIn(platform: Platform, credentials: Credentials): Omit<AccountAccess, 'canConsent'> {
  const { scopes, capabilities, login } = credentials
  const endsAt = accessEnd(platform, credentials)
  // Each login has permissions of its own.
  const isLoginKnown = login !== undefined || platform.logins.length < 2
  if (!isLoginKnown || (scopes === undefined && capabilities === undefined)) return { endsAt, lacking: {} }
  const lacking = lackingIn(platform, credentials)
  const has = capabilitiesOf(platform, loginOf(platform, login))
  return { endsAt, lacking, granted: has.filter((capability) => !lacking[capability]) }
}

function consentOf(platform: Platform, apps: OwnApps): Connectable['consent'] {
  if (platform.logins.length === 0) return { kind: 'none' }
  if (registersItself(platform)) return { kind: 'ready', asksFor: [], logins: [] }
  const app = apps.of(platform)
  if ('missing' in app) return { kind: 'unconfigured', missing: app.missing }
  const ready = apps.ready(platform)
  const logins = ready.flatMap(({ key, name = '' }) => (key === undefined ? [] : [{ key, name }]))
  return { kind: 'ready', asksFor: ready[0]?.authorization.asksFor ?? [], logins }
}

/** What it takes with each of its media types. */
function captionLimitOf({ takes, measure }: Platform): number {
  const types = MEDIA_TYPES.filter((type) => takes[type] !== undefined)
  return Math.min(...types.map((mediaType) => measure({ text: '', mediaType }).most))
}
