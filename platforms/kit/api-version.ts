import type { PlatformKey } from '../../domain/core/platform.ts'
import type { VersionSetting } from '../../infra/runtime/version-settings.ts'
import type { PlatformIo } from './platform.ts'

/** Versions of a platform's API, where each one ends at some time and the operator chooses. */
export interface ApiVersions {
  readonly setting: VersionSetting
  /** The newest one that the connector was tried with; the default. */
  readonly tried: string
  /** The announced last day of each version: ISO 8601 dates. */
  readonly ends: Readonly<Record<string, string>>
  /** The earliest last day of a version without an announced one, as far as the platform promises. */
  readonly earliestEnd?: (version: string) => string
  /** Where the platform announces them. */
  readonly source: string
}

/** The version of each platform's API that is used. */
export type ChosenVersions = ReadonlyMap<PlatformKey, string>

/** The version to call a platform with. */
export function versionOf(platform: PlatformKey, tried: string, { versions }: Pick<PlatformIo, 'versions'>): string {
  return versions?.get(platform) ?? tried
}
