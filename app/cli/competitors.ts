import { competitor } from '../../domain/analytics/competitor.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { removeCompetitor } from '../../commands/competitor.ts'
import { handle } from '../../commands/handle.ts'
import type { Core } from '../wiring/core.ts'
import { competitors } from '../../projections/models/competitors.ts'
import { newestFirst } from '../../projections/engine/newest-first.ts'
import type { FoundCompetitor } from '../../domain/analytics/competitor-tracking.ts'
import { comparablePlatforms, trackCompetitor } from '../../reactors/analytics/add-competitor.ts'
import { presentCompetitor } from '../../api/v1/competitors/present-competitor.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

/** More than a workspace can have. */
const ALL = 1_000

/** @throws Refusal as `trackCompetitor`, and for a platform that has no data about other accounts */
export async function addCompetitorTo(
  core: Core,
  options: { readonly platform: string; readonly handle: string; readonly workspace: string },
): Promise<FoundCompetitor> {
  const known = comparablePlatforms((key) => core.access.platform(key))
  const platform = known.find((key) => key === options.platform)
  if (platform === undefined) {
    const names = known.join(', ')
    throw new Refusal(
      'invalid_request',
      `${options.platform} provides no data about other accounts; choose one of ${names}`,
    )
  }
  const { id: workspaceId } = await oneWorkspace(core, options.workspace)
  const given = { workspaceId, platform, handle: options.handle }
  const { position, ...found } = await trackCompetitor(core, given, commandLineCause(core.ids))
  await settled(core, position === undefined ? {} : { position })
  return found
}

export async function competitorsOf(core: Core, workspace: string) {
  const { id: workspaceId } = await oneWorkspace(core, workspace)
  const rows = await newestFirst(core.db, competitors, { workspaceId, limit: ALL })
  return rows.map(presentCompetitor)
}

/** @throws Refusal not_found */
export async function removeCompetitorOf(core: Core, id: string): Promise<{ id: string; removed: true }> {
  await settled(core, await handle(core, competitor, id, commandLineCause(core.ids), removeCompetitor))
  return { id, removed: true }
}
