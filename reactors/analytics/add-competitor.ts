import { competitor, competitorId, LONGEST_HANDLE, LONGEST_LABEL } from '../../domain/analytics/competitor.ts'
import type { CompetitorTracking, FoundCompetitor, NewCompetitor } from '../../domain/analytics/competitor-tracking.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import { asText } from '../../domain/core/text.ts'
import { addCompetitor } from '../../commands/competitor.ts'
import { handle, type Cause } from '../../commands/handle.ts'
import type { Platform } from '../../platforms/kit/platform.ts'
import type { Ceilings } from '../../projections/models/ceilings.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { askAbout, type CompetitorDeps } from './competitor-access.ts'

/** The platforms that report on other accounts. */
export function comparablePlatforms(connectorOf: (key: PlatformKey) => Platform): readonly PlatformKey[] {
  return PLATFORM_KEYS.filter((key) => connectorOf(key).analytics?.competitors)
}

type Deps = CompetitorDeps & { readonly ceilings: Ceilings; readonly seen: Pick<Seen, 'waitFor'> }

export function competitorTracking(deps: Deps): CompetitorTracking {
  return {
    platforms: comparablePlatforms((key) => deps.access.platform(key)),
    track: async (given, by) => {
      const { position: _, ...found } = await trackCompetitor(deps, given, by)
      return found
    },
  }
}

/**
 * Finds an account on its platform and starts tracking it. Adding the same account again keeps its id.
 *
 * @throws Refusal not_found when there is no such account, failed_precondition when no account may look or there are too many
 */
export async function trackCompetitor(
  deps: Deps,
  { workspaceId, platform, handle: given }: NewCompetitor,
  cause: Cause,
): Promise<FoundCompetitor & { readonly position?: bigint }> {
  const asked = await askAbout(
    deps,
    { workspaceId, platform },
    new AbortController().signal,
    (competitors, source, io) => competitors.find(source, given, io),
  )
  if (asked.outcome === 'failed') throw new Refusal('failed_precondition', asked.error)
  if (asked.outcome === 'resting') {
    const until = isoTime(asked.until)
    throw new Refusal(
      'failed_precondition',
      `${platform} accepts no requests from your accounts until ${until}. Try again then.`,
    )
  }
  if (!asked.value) {
    const advice = 'enter its handle, with or without @, or the URL of its page'
    throw new Refusal('not_found', `No account ${asText(given.trim(), 100)} was found on ${platform}: ${advice}.`)
  }
  const { externalId } = asked.value
  const names = { handle: asText(asked.value.handle, LONGEST_HANDLE), label: asText(asked.value.label, LONGEST_LABEL) }
  const command = { workspaceId, platform, accountId: asked.accountId, externalId, ...names }
  const id = competitorId(workspaceId, platform, externalId)
  const { position } = await deps.ceilings.adding('competitors', { workspaceId, id }, async () => {
    const handled = await handle(deps, competitor, id, cause, (state) => addCompetitor(state, command))
    if (handled.position !== undefined) await deps.seen.waitFor(handled.position)
    return handled
  })
  return { id, platform, ...names, ...(position === undefined ? {} : { position }) }
}
