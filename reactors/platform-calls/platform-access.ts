import type { Vault } from '../../infra/postgres/vault.ts'
import { notGranted, type Capability } from '../../domain/account/capability.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { startDeadline } from '../../infra/http/deadline.ts'
import type { Http } from '../../infra/http/http.ts'
import type { MediaFacts, MediaSource, WantedMedia } from '../../infra/media/media.ts'
import type { ChosenVersions } from '../../platforms/kit/api-version.ts'
import type { CostsOf } from '../../platforms/kit/costs.ts'
import { lackingIn } from '../../platforms/kit/permissions.ts'
import type { OwnApps } from '../../platforms/kit/own-apps.ts'
import {
  PlatformError,
  type Credentials,
  type Platform,
  type PlatformAccount,
  type PlatformIo,
} from '../../platforms/kit/platform.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { NO_PAUSES, type Pauses } from './pauses.ts'
import { NO_OWN_MEDIA, type PublicMedia } from './public-media.ts'
import { redaction, type Redaction } from './redaction.ts'

/** The platforms, and what connectors need to work for an account. */
export interface PlatformAccess {
  platform(key: PlatformKey): Platform
  /** With the rules for the account. */
  platformFor(account: Pick<PlatformAccount, 'id' | 'platform'>): Promise<Platform>
  readonly versions: ChosenVersions | undefined
  readonly costsOf: CostsOf
  readonly pauses: Pauses
  readonly apps: OwnApps
  readonly publicMedia: PublicMedia
  /** Whether media that a platform does not take are converted. */
  readonly convertsImages: boolean
  readonly convertsVideos: boolean
  /** Whether the position where media were taken is removed. */
  readonly removesPosition: boolean
  /** Runs connector work before there is an account, for at most `timeoutMs`. */
  connecting<T>(timeoutMs: number, work: (io: Omit<PlatformIo, 'credentials'>) => Promise<T>): Promise<T>
  /** Fetches media to inspect it; nothing is kept. @throws PlatformError */
  inspect(url: string, want: WantedMedia, timeoutMs: number): Promise<MediaFacts>
  /** When the account's access token expires, ISO 8601 UTC, if known. */
  tokenExpiry(accountId: string): Promise<string | undefined>
  /** Why the account's access is known not to cover a capability; undefined if it may. */
  whyNotAllowed(account: Pick<PlatformAccount, 'id' | 'platform'>, use: Capability): Promise<string | undefined>
  /**
   * Runs connector work; its signal aborts after `timeoutMs` or with `signal`.
   *
   * @param use what the work is for: without the permissions for it, the platform is not called
   * @throws PlatformError `forbidden` for a `use` that the account's access is known not to cover
   */
  run<T>(
    account: PlatformAccount,
    timeoutMs: number,
    signal: AbortSignal,
    work: (io: PlatformIo) => Promise<T>,
    use?: Capability,
  ): Promise<T>
}

/** The log came from another installation or a backup, without the credentials. */
const NO_CREDENTIALS = 'This installation has no credentials for the account. Connect the account again.'

export function platformAccess(deps: {
  readonly platforms: Readonly<Record<PlatformKey, Platform>>
  readonly versions?: ChosenVersions
  readonly costsOf: CostsOf
  readonly pauses?: Pauses
  readonly apps: OwnApps
  readonly vault: Vault
  readonly http: Http
  readonly media: MediaSource
  readonly publicMedia?: PublicMedia
  readonly clock: Clock
}): PlatformAccess {
  const {
    platforms,
    versions,
    costsOf,
    pauses = NO_PAUSES,
    apps,
    vault,
    http,
    media,
    publicMedia = NO_OWN_MEDIA,
    clock,
  } = deps
  const limited = async <T>(
    timeoutMs: number,
    cancel: AbortSignal | undefined,
    work: (io: Omit<PlatformIo, 'credentials'>, secrets: Redaction) => Promise<T>,
  ): Promise<T> => {
    const secrets = redaction()
    const expired = { kind: 'timeout', message: `not completed within ${timeoutMs / 1000} s` } as const
    const stop = { kind: 'aborted', message: 'the service is stopping' } as const
    const deadline = startDeadline(clock, timeoutMs, expired, cancel ? [{ signal: cancel, stop }] : [])
    try {
      return await work({ http: secrets.http(http), media, clock, versions, signal: deadline.signal }, secrets)
    } catch (error) {
      secrets.hideIn(error)
      throw error
    } finally {
      deadline.end()
    }
  }

  const whyNotAllowed: PlatformAccess['whyNotAllowed'] = async ({ id, platform }, use) => {
    const missing = lackingIn(platforms[platform], (await vault.find(id)) ?? {})[use]
    return missing && notGranted(use, missing).reason
  }

  return {
    platform: (key) => platforms[key],
    platformFor: async ({ id, platform: key }) => {
      const platform = platforms[key]
      return platform.forAccount?.((await vault.find(id)) ?? {}) ?? platform
    },
    versions,
    costsOf,
    pauses,
    apps,
    publicMedia,
    convertsImages: media.convertsImages ?? false,
    convertsVideos: media.convertsVideos ?? false,
    removesPosition: media.removesPosition ?? false,
    connecting: (timeoutMs, work) => limited(timeoutMs, undefined, (io) => work(io)),
    inspect: (url, want, timeoutMs) =>
      limited(timeoutMs, undefined, async ({ signal }) => {
        const spooled = await media.spool(url, { ...want, keepsPosition: true }, signal)
        await spooled.dispose()
        return spooled.facts
      }),
    whyNotAllowed,
    tokenExpiry: async (accountId) => (await vault.find(accountId))?.['expiresAt'],
    run: (account, timeoutMs, signal, work, use) =>
      limited(timeoutMs, signal, async (io, secrets) => {
        const why = use && (await whyNotAllowed(account, use))
        if (why !== undefined) throw new PlatformError('forbidden', why)
        const current = (stored: Credentials) => apps.current(platforms[account.platform], stored)
        // Check every time: the stored credentials may have been connected at another address since the account was looked up.
        const allowed = (stored: Credentials): Credentials => {
          const shown = current(stored)
          const why = apps.whyWithheld(account.baseUrl, shown)
          if (why !== undefined) throw new PlatformError('permanent', why)
          return shown
        }
        const stored = async () => {
          const found = await vault.find(account.id)
          if (!found) throw new PlatformError('needs-reauth', NO_CREDENTIALS)
          return found
        }
        const credentials = secrets.credentials({
          read: async () => {
            const found = await stored()
            const shown = allowed(found)
            // Store the app's id while the secret still identifies the app: after the next change nothing would.
            if (shown['clientId'] !== found['clientId'])
              await vault.renew(account.id, found, (stale) => Promise.resolve(current(stale)))
            return shown
          },
          renew: async (stale, renew) => {
            const found = await stored()
            const shown = allowed(found)
            // Another process has renewed them already.
            if (JSON.stringify(shown) !== JSON.stringify(stale)) return shown
            return allowed(await vault.renew(account.id, found, async (kept) => current(await renew(allowed(kept)))))
          },
        })
        return work({ ...io, credentials })
      }),
  }
}
