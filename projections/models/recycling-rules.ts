import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { RecyclingEvent } from '../../domain/recycling/recycling-events.ts'
import { recyclingRule } from '../../domain/recycling/recycling-rule.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

export interface RecyclingRuleRow {
  readonly id: string
  readonly workspace_id: string
  readonly source_post_id: string
  readonly selections: Readonly<Record<string, string[]>>
  readonly interval_days: number
  readonly rewrite_caption: boolean
  readonly active: boolean
  readonly last_recycled_at: string | null
  readonly next_recycle_at: string
  readonly recycle_count: number
  readonly last_error: string | null
  readonly last_post_id: string | null
  readonly created_at: string
}

const COLUMNS = `id, workspace_id, source_post_id, selections, interval_days, rewrite_caption, active, last_recycled_at,
  next_recycle_at, recycle_count, last_error, last_post_id, created_at`

export const recyclingRules: Projection<RecyclingRuleRow> = {
  name: 'recycling_rules',
  version: 1,
  columns: {
    id: 'text',
    workspace_id: 'text',
    source_post_id: 'text',
    selections: 'json',
    interval_days: 'integer',
    rewrite_caption: 'boolean',
    active: 'boolean',
    last_recycled_at: 'timestamptz',
    next_recycle_at: 'timestamptz',
    recycle_count: 'integer',
    last_error: 'text',
    last_post_id: 'text',
    created_at: 'timestamptz',
  },
  makesAnew: atStreamStart,
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
    workspace_id: data.workspaceId,
    source_post_id: data.sourcePostId,
    created_at: at,
    ...settings(data),
    active: true,
    recycle_count: 0,
    last_recycled_at: null,
    last_error: null,
    last_post_id: null,
  }
}

function change(row: RecyclingRuleRow, event: RecyclingEvent, at: string): Partial<RecyclingRuleRow> {
  switch (event.type) {
    case 'RecyclingRuleChanged':
      return { ...settings(event.data), active: event.data.active }
    case 'RecycleFailed':
      return { last_error: event.data.error }
    case 'Recycled': {
      const { postId, nextRecycleAt } = event.data
      const recycle_count = row.recycle_count + 1
      const last = { last_recycled_at: at, last_post_id: postId, last_error: null }
      return { ...last, next_recycle_at: nextRecycleAt, recycle_count }
    }
    default:
      return {}
  }
}

function settings(data: Data<'RecyclingRuleAdded'> | Data<'RecyclingRuleChanged'>) {
  const { selections, intervalDays, rewriteCaption, nextRecycleAt } = data
  const what = { selections, interval_days: intervalDays, rewrite_caption: rewriteCaption }
  return { ...what, next_recycle_at: nextRecycleAt }
}

export async function findRecyclingRule(db: Database, id: string): Promise<RecyclingRuleRow | undefined> {
  const { rows } = await db.query<RecyclingRuleRow>(`select ${COLUMNS} from read.recycling_rules where id = $1`, [id])
  return rows[0]
}
