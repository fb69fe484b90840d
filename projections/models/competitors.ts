import {
  followersChange,
  withCount,
  type FollowerCount,
  type RecentFigures,
} from '../../domain/analytics/competitor-figures.ts'
import { competitor, type CompetitorLook } from '../../domain/analytics/competitor.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

/** A competitor's figures as of the last check; all absent before the first. */
export interface CompetitorFigures extends Partial<RecentFigures> {
  readonly followers?: number
  readonly followersChange30d?: number
}

export interface CompetitorRow {
  readonly id: string
  readonly workspace_id: string
  readonly platform: PlatformKey
  readonly handle: string
  readonly label: string
  readonly figures: CompetitorFigures
  /** The history from which the change in followers is computed. */
  readonly counts: readonly FollowerCount[]
  readonly looked_at: string | null
  /** Why checks have failed since. */
  readonly last_error: string | null
  readonly created_at: string
}

export const competitors: Projection<CompetitorRow> = {
  name: 'competitors',
  version: 1,
  columns: {
    id: 'text',
    workspace_id: 'text',
    platform: 'text',
    handle: 'text',
    label: 'text',
    figures: 'json',
    counts: 'json',
    looked_at: 'timestamptz',
    last_error: 'text',
    created_at: 'timestamptz',
  },
  makesAnew: atStreamStart,
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
          workspace_id: workspaceId,
          platform,
          handle,
          label,
          figures: {},
          counts: [],
          looked_at: null,
          last_error: null,
          created_at: at,
        }
      }
      case 'CompetitorLooked': {
        const { handle, label } = event.data
        return row && { ...row, handle, label, ...known(row, event.data, at), looked_at: at, last_error: null }
      }
      case 'CompetitorLookFailed':
        return row && { ...row, last_error: event.data.error }
      case 'CompetitorRemoved':
        return undefined
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
