import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import { SettingsError, type Settings } from '../../infra/runtime/settings.ts'
import type { VersionSetting } from '../../infra/runtime/version-settings.ts'
import { likeliestName } from '../../infra/runtime/misspelled.ts'
import type { ChosenVersions } from '../../platforms/kit/api-version.ts'
import { unknownPrices } from '../../platforms/kit/costs.ts'
import { sandboxPageUrl } from '../../infra/runtime/sandbox-page.ts'
import { ownApps, type OwnApps } from '../../platforms/kit/own-apps.ts'
import { platforms } from '../../platforms/registry.ts'

/** Undefined when there is no sandbox. */
export function sandboxUrlOf({ SANDBOX, SANDBOX_PORT }: Settings): string | undefined {
  return SANDBOX === 'off' ? undefined : `http://127.0.0.1:${SANDBOX_PORT}`
}

/** For links to what its accounts have published. */
export function sandboxPagesOf(settings: Settings) {
  const url = sandboxUrlOf(settings)
  return url === undefined
    ? undefined
    : { url, pageOf: (platform: PlatformKey, postId: string) => sandboxPageUrl(url, platform, postId) }
}

/** @throws SettingsError for a price of something that the platform does not charge for */
export function pricesOf({ prices }: Pick<Settings, 'prices'>): Settings['prices'] {
  const problems = PLATFORM_KEYS.flatMap((key) => {
    const unknown = unknownPrices(platforms[key], prices.get(key) ?? {})
    const known = Object.keys(platforms[key].costs?.kinds ?? {}).join(', ')
    return unknown.map((kind) => `${key.toUpperCase()}_PRICES: ${kind} is not one of ${known}`)
  })
  if (problems.length > 0) throw new SettingsError(problems)
  return prices
}

/** Of each platform whose API has several. */
export function versionsOf(settings: Pick<Settings, VersionSetting>): ChosenVersions {
  return new Map(
    PLATFORM_KEYS.flatMap((key) => {
      const { versions } = platforms[key]
      return versions ? [[key, settings[versions.setting] ?? versions.tried] as const] : []
    }),
  )
}

/**
 * The sandbox belongs to the operator and runs on this machine.
 *
 * @throws SettingsError when the name of an app is misspelled
 */
export function ownAppsOf({ apps, APP_HOSTS, SANDBOX, SANDBOX_PORT }: Settings): OwnApps {
  const known = Object.values(platforms).flatMap(({ key, logins }) => [key, ...logins.flatMap(({ app = key }) => app)])
  for (const name of apps.keys()) {
    const meant = known.includes(name) ? undefined : likeliestName(name, known)
    if (meant === undefined) continue
    const [given, right] = [name, meant].map((key) => `${key.toUpperCase()}_CLIENT_…`)
    throw new SettingsError([`${given}: there is no such app. Did you mean ${right}? If not, unset it`])
  }
  return ownApps(apps, [...APP_HOSTS, ...(SANDBOX === 'off' ? [] : [`http://127.0.0.1:${SANDBOX_PORT}`])])
}
