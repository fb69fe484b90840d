import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { erasure } from '../../domain/workspace/erasure.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { boolean, integer, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

export const ERASURE_STATUSES = ['running', 'finished'] as const

const columns = {
  id: text(),
  workspaceId: text(),
  status: text<(typeof ERASURE_STATUSES)[number]>(),
  accountId: text<string | null>(),
  userId: text<string | null>(),
  /** Whether only the comments of one author are erased. */
  byAuthor: boolean(),
  before: time(),
  comments: integer(),
  replies: integer(),
  deliveries: integer(),
  createdAt: time(),
  finishedAt: time<string | null>(),
}
export type ErasureRow = RowOf<typeof columns>

const ROW = rowFrom(columns)

export const erasures: Projection<ErasureRow> = {
  name: 'erasures',
  version: 1,
  columns,
  createsRow: atStreamStart,
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (recorded) => (eventOf(erasure, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(erasure, recorded)
    const { at } = recorded.metadata
    switch (event?.type) {
      case 'ErasureRequested': {
        const { workspaceId, accountId = null, userId = null, author, before } = event.data
        return {
          ...{ id, workspaceId, status: 'running', accountId, userId, byAuthor: author !== undefined, before },
          ...{ comments: 0, replies: 0, deliveries: 0, createdAt: at, finishedAt: null },
        }
      }
      case 'ErasureFinished':
        return row && { ...row, ...event.data, status: 'finished', finishedAt: at }
      case undefined:
        return row
    }
  },
}

export async function findErasure(db: Database, id: string): Promise<ErasureRow | undefined> {
  const { rows } = await db.query<ErasureRow>(`select ${ROW} from read.erasures where id = $1`, [id])
  return rows[0]
}
