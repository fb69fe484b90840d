import {
  followersChange,
  withCount,
  type FollowerCount,
  type RecentFigures,
} from '../../domain/analytics/competitor-figures.ts'
import { competitor, type CompetitorLook } from '../../domain/analytics/competitor.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { json, text, time, type RowOf } from '../engine/columns.ts'
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
      case 'CompetitorRemoved':
        return undefined
      case 'CompetitorSummarized':
      case undefined:
        return row
    }
  },
}

function known(row: CompetitorRow, look: CompetitorLook, at: string): Pick<CompetitorRow, 'figures' | 'counts'> {
  const { followers, postsPerWeek, interactionsPerPost, viewsPerPost } = look
  const counts = followers === undefined ? row.counts : withCount(row.counts, { at, followers })
  const change = followers === undefined ? undefined : followersChange(counts)
  return {
    counts,
    figures: {
      ...(followers !== undefined && { followers }),
      ...(change !== undefined && { followersChange30d: change }),
      postsPerWeek,
      ...(interactionsPerPost !== undefined && { interactionsPerPost }),
      ...(viewsPerPost !== undefined && { viewsPerPost }),
    },
  }
}
