import {
  followersChange,
  withCount,
  type FollowerCount,
  type RecentFigures,
} from '../../domain/analytics/competitor-figures.ts'
import { competitor, type CompetitorLook } from '../../domain/analytics/competitor.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { ERASED } from '../../domain/core/personal-data.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { json, rowFrom, text, time, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

/** A competitor's figures as of the last check; all absent before the first. */
export interface CompetitorFigures extends Partial<RecentFigures> {
  readonly followers?: number
  readonly followersChange30d?: number
}

const columns = {
  id: text(),
  workspaceId: text(),
  platform: text<PlatformKey>(),
  handle: text(),
  label: text(),
  figures: json<CompetitorFigures>(),
  /** The history from which the change in followers is computed. */
  counts: json<readonly FollowerCount[]>(),
  lookedAt: time<string | null>(),
  /** Why checks have failed since. */
  lastError: text<string | null>(),
  createdAt: time(),
}
export type CompetitorRow = RowOf<typeof columns>

export const competitors: Projection<CompetitorRow> = {
  name: 'competitors',
  version: 1,
  columns,
  createsRow: atStreamStart,
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (event) => (eventOf(competitor, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(competitor, recorded)
    const { at } = recorded.metadata
    switch (event?.type) {
      case 'CompetitorAdded': {
        const { workspaceId, platform, handle, label } = event.data
        return {
          id,
          workspaceId,
          platform,
          handle,
          label,
          figures: {},
          counts: [],
          lookedAt: null,
          lastError: null,
          createdAt: at,
        }
      }
      case 'CompetitorLooked': {
        const { handle, label } = event.data
        return row && { ...row, handle, label, ...known(row, event.data, at), lookedAt: at, lastError: null }
      }
      case 'CompetitorLookFailed':
        return row && { ...row, lastError: event.data.error }
      case 'CompetitorFiguresErased':
        return row && keptSince(row, event.data.before)
      case 'CompetitorRemoved':
      case 'PersonalDataErased':
        return undefined
      case 'CompetitorSummarized':
      case undefined:
        return row
    }
  },
}

export async function findCompetitor(db: Database, id: string): Promise<CompetitorRow | undefined> {
  const { rows } = await db.query<CompetitorRow>(`select ${rowFrom(columns)} from read.competitors where id = $1`, [id])
  return rows[0]
}

function known(row: CompetitorRow, look: CompetitorLook, at: string): Pick<CompetitorRow, 'figures' | 'counts'> {
  const { followers, postsPerWeek, interactionsPerPost, viewsPerPost } = look
  const counts = followers === undefined ? row.counts : withCount(row.counts, { at, followers })
  return {
    counts,
    figures: {
      ...changed(counts, followers),
      postsPerWeek,
      ...(interactionsPerPost !== undefined && { interactionsPerPost }),
      ...(viewsPerPost !== undefined && { viewsPerPost }),
    },
  }
}

function changed(counts: readonly FollowerCount[], followers: number | undefined): CompetitorFigures {
  if (followers === undefined) return {}
  const change = followersChange(counts)
  return { followers, ...(change !== undefined && { followersChange30d: change }) }
}

/** The change in followers is computed again: a rebuild no longer knows the earlier counts either. */
function keptSince(row: CompetitorRow, before: string): CompetitorRow {
  const isKept = (at: string) => Date.parse(at) >= Date.parse(before)
  if (row.lookedAt === null || !isKept(row.lookedAt)) {
    return { ...row, handle: ERASED, label: ERASED, figures: {}, counts: [] }
  }
  const counts = row.counts.filter(({ at }) => isKept(at))
  const { followersChange30d: _, ...figures } = row.figures
  return { ...row, counts, figures: { ...figures, ...changed(counts, figures.followers) } }
}
