import type * as z from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import { isQueued, type DeliveryState } from '../../../domain/webhook/delivery.ts'
import type { DeliveryRow } from '../../../projections/models/deliveries.ts'
import { shown } from '../../kit/shown.ts'
import { deliverySchema } from './webhook-schemas.ts'

export type ShownDelivery = z.infer<typeof deliverySchema>

/**
 * A delivery from its stream: it shows the command's result even if the read model lags. The outcomes of its attempts come
 * from the read model.
 */
export function presentState(id: string, state: DeliveryState, row: DeliveryRow | undefined): ShownDelivery {
  if (!isQueued(state)) throw new Refusal('not_found', 'No such delivery.')
  const { status, queuedAt, dueAt } = state
  return shown(deliverySchema, {
    ...state,
    id,
    status: status === 'cancelled' ? 'failed' : status,
    lastError: row?.lastError ?? null,
    createdAt: queuedAt,
    nextAttemptAt: status === 'pending' ? dueAt : undefined,
    attemptLog: row?.attemptLog ?? [],
  })
}
