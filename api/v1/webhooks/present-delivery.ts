import type { z } from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import { isQueued, type DeliveryState } from '../../../domain/webhook/delivery.ts'
import type { DeliveryRow } from '../../../projections/models/deliveries.ts'
import type { deliverySchema } from './webhook-schemas.ts'

export type ShownDelivery = z.infer<typeof deliverySchema>

/**
 * A delivery from its stream: it shows the command's result even if the read model lags. The outcomes of its attempts come
 * from the read model.
 */
export function presentState(id: string, state: DeliveryState, row: DeliveryRow | undefined): ShownDelivery {
  if (!isQueued(state)) throw new Refusal('not_found', 'No such delivery.')
  const { event, eventId, status, attempts, queuedAt, dueAt } = state
  return {
    ...{ id, event, eventId, status: status === 'cancelled' ? 'failed' : status, attempts },
    lastError: row?.last_error ?? null,
    createdAt: queuedAt,
    nextAttemptAt: status === 'pending' ? dueAt : undefined,
    attemptLog: [...(row?.attempt_log ?? [])],
  }
}

export function presentRow(row: DeliveryRow): ShownDelivery {
  return {
    id: row.id,
    event: row.event,
    eventId: row.event_id,
    status: row.status,
    attempts: row.attempts,
    lastError: row.last_error,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    attemptLog: [...row.attempt_log],
  }
}
