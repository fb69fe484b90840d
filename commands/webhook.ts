import { Refusal } from '../domain/core/errors.ts'
import { isActive, type LiveWebhook, type WebhookEvent, type WebhookState } from '../domain/webhook/webhook.ts'

/**
 * Registering the same webhook again is a no-op.
 *
 * @throws Refusal failed_precondition when it was deleted in the meantime
 */
export function registerWebhook(
  state: WebhookState,
  command: Extract<WebhookEvent, { type: 'WebhookRegistered' }>['data'],
): readonly WebhookEvent[] {
  if (isActive(state)) return []
  if (state.status === 'absent') return [{ type: 'WebhookRegistered', data: command }]
  throw new Refusal('failed_precondition', 'This webhook was deleted. Register it again.')
}

/** @throws Refusal not_found when it was deleted */
export function rotateSecret(state: WebhookState, previousUntil: string): readonly WebhookEvent[] {
  mustBeThere(state)
  return [{ type: 'WebhookSecretRotated', data: { previousUntil } }]
}

/** @throws Refusal not_found when it was deleted before */
export function deleteWebhook(state: WebhookState): readonly WebhookEvent[] {
  mustBeThere(state)
  return [{ type: 'WebhookDeleted', data: {} }]
}

/** @throws Refusal not_found when it was never registered, or was deleted */
export function mustBeThere(state: WebhookState): LiveWebhook {
  if (isActive(state)) return state
  throw new Refusal('not_found', 'No such webhook.')
}
