import type * as z from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import type { RecyclingRuleState } from '../../../domain/recycling/recycling-rule.ts'
import { shown } from '../../kit/shown.ts'
import { recyclingRuleSchema } from './recycling-schemas.ts'

export type ShownRule = z.infer<typeof recyclingRuleSchema>

/** A rule from its stream: it shows the command's result even if the read model lags. */
export function presentState(id: string, state: RecyclingRuleState): ShownRule {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such recycling rule.')
  return shown(recyclingRuleSchema, { id, ...state, active: state.status === 'active' })
}
