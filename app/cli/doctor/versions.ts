import type { ApiVersions } from '../../../platforms/kit/api-version.ts'
import { platforms } from '../../../platforms/registry.ts'
import { PLATFORM_KEYS, PLATFORM_NAMES } from '../../../domain/core/platform.ts'
import { versionsOf } from '../../wiring/platform-settings.ts'
import type { Core } from '../../wiring/core.ts'
import { ok, type Finding } from './finding.ts'

const DAY_MS = 86_400_000
const SOON_MS = 60 * DAY_MS
const CHECK = 'api'

/** How long the platforms of connected accounts will keep the versions of their APIs that are used. */
export async function examineVersions({ db, settings, clock }: Core): Promise<readonly Finding[]> {
  const { rows } = await db.query<{ platform: string }>('select distinct platform from read.accounts where connected')
  const inUse = new Set(rows.map(({ platform }) => platform))
  const chosen = versionsOf(settings)
  return PLATFORM_KEYS.flatMap((key) => {
    const [{ versions }, version] = [platforms[key], chosen.get(key)]
    if (!versions || version === undefined || !inUse.has(key)) return []
    return [agingOf(PLATFORM_NAMES[key], versions, version, clock.now())]
  })
}

/** @param now ms since the epoch */
export function agingOf(name: string, versions: ApiVersions, version: string, now: number): Finding {
  const used = `${name}: version ${version} of its API`
  const announced = versions.ends[version]
  const end = announced ?? versions.earliestEnd?.(version)
  if (end === undefined) return ok(CHECK, `${used}, whose end is not known`)
  const leftMs = Date.parse(end) + DAY_MS - now
  const until = announced === undefined ? `is not promised beyond ${end}` : `${leftMs > 0 ? 'ends' : 'ended'} on ${end}`
  if (leftMs > SOON_MS) return ok(CHECK, `${used}, which ${until}`)
  const level = announced === undefined || leftMs > 0 ? 'warning' : 'problem'
  return { check: CHECK, level, finding: `${used} ${until}`, remedy: remedyFor(versions, version) }
}

function remedyFor({ setting, tried, source }: ApiVersions, version: string): string {
  const how = tried === version ? `Update Fanfare, or set ${setting} to a newer version` : `Set ${setting} to ${tried}`
  return `${how}; ${tried} is the newest that this release was tried with. See ${source}.`
}
