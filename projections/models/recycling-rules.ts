import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { RecyclingEvent } from '../../domain/recycling/recycling-events.ts'
import { recyclingRule } from '../../domain/recycling/recycling-rule.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { boolean, integer, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  sourcePostId: text(),
  selections: json<Readonly<Record<string, string[]>>>(),
  intervalDays: integer(),
  rewriteCaption: boolean(),
  active: boolean(),
  lastRecycledAt: time<string | null>(),
  nextRecycleAt: time(),
  recycleCount: integer(),
  lastError: text<string | null>(),
  lastPostId: text<string | null>(),
  createdAt: time(),
}
export type RecyclingRuleRow = RowOf<typeof columns>

export const recyclingRules: Projection<RecyclingRuleRow> = {
  name: 'recycling_rules',
  version: 1,
  columns,
  createsRow: atStreamStart,
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (event) => (eventOf(recyclingRule, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(recyclingRule, recorded)
    if (event?.type === 'RecyclingRuleAdded') return addedRow(id, event.data, recorded.metadata.at)
    if (event?.type === 'RecyclingRuleDeleted') return undefined
    return row && event ? { ...row, ...change(row, event, recorded.metadata.at) } : row
  },
}

type Data<Type extends RecyclingEvent['type']> = Extract<RecyclingEvent, { type: Type }>['data']

function addedRow(id: string, data: Data<'RecyclingRuleAdded'>, at: string): RecyclingRuleRow {
  return {
    id,
    workspaceId: data.workspaceId,
    sourcePostId: data.sourcePostId,
    createdAt: at,
    ...settings(data),
    active: true,
    recycleCount: 0,
    lastRecycledAt: null,
    lastError: null,
    lastPostId: null,
  }
}

function change(row: RecyclingRuleRow, event: RecyclingEvent, at: string): Partial<RecyclingRuleRow> {
  switch (event.type) {
    case 'RecyclingRuleChanged':
      return { ...settings(event.data), active: event.data.active }
    case 'RecycleFailed':
      return { lastError: event.data.error }
    case 'Recycled': {
      const { postId, nextRecycleAt } = event.data
      const last = { lastRecycledAt: at, lastPostId: postId, lastError: null }
      return { ...last, nextRecycleAt, recycleCount: row.recycleCount + 1 }
    }
    default:
      return {}
  }
}

function settings(data: Data<'RecyclingRuleAdded'> | Data<'RecyclingRuleChanged'>) {
  const { selections, intervalDays, rewriteCaption, nextRecycleAt } = data
  return { selections, intervalDays, rewriteCaption, nextRecycleAt }
}

export async function findRecyclingRule(db: Database, id: string): Promise<RecyclingRuleRow | undefined> {
  const { rows } = await db.query<RecyclingRuleRow>(
    `select ${rowFrom(columns)} from read.recycling_rules where id = $1`,
    [id],
  )
  return rows[0]
}
