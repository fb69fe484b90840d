import type { z } from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import type { RecyclingRuleState } from '../../../domain/recycling/recycling-rule.ts'
import type { RecyclingRuleRow } from '../../../projections/models/recycling-rules.ts'
import type { recyclingRuleSchema } from './recycling-schemas.ts'

export type ShownRule = z.infer<typeof recyclingRuleSchema>

/** A rule from its stream: it shows the command's result even if the read model lags. */
export function presentState(id: string, state: RecyclingRuleState): ShownRule {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such recycling rule.')
  const { sourcePostId, selections, intervalDays, rewriteCaption, status } = state
  const { lastRecycledAt, nextRecycleAt, recycleCount, lastError, lastPostId, createdAt } = state
  return {
    ...{ id, sourcePostId, selections, intervalDays, rewriteCaption, active: status === 'active' },
    ...{ lastRecycledAt, nextRecycleAt, recycleCount, lastError, lastPostId, createdAt },
  }
}

export function presentRow(row: RecyclingRuleRow): ShownRule {
  return {
    id: row.id,
    sourcePostId: row.source_post_id,
    selections: row.selections,
    intervalDays: row.interval_days,
    rewriteCaption: row.rewrite_caption,
    active: row.active,
    lastRecycledAt: row.last_recycled_at ?? undefined,
    nextRecycleAt: row.next_recycle_at,
    recycleCount: row.recycle_count,
    lastError: row.last_error ?? undefined,
    lastPostId: row.last_post_id ?? undefined,
    createdAt: row.created_at,
  }
}
