import { Refusal } from '../domain/errors.ts'
import { isActive, type LiveWebhook, type WebhookEvent, type WebhookState } from '../domain/webhook.ts'

/** It guards against a program that registers anew at each start, not against two requests at the same moment. */
const MOST_WEBHOOKS = 50

/**
 * Registering the same webhook again changes nothing.
 *
 * @param others how many the workspace has already
 * @throws Refusal failed_precondition when it has as many as it may, or this one was deleted meanwhile
 */
export function registerWebhook(
  state: WebhookState,
  command: Extract<WebhookEvent, { type: 'WebhookRegistered' }>['data'],
  others: number,
): readonly WebhookEvent[] {
  if (isActive(state)) return []
  if (state.status === 'deleted')
    throw new Refusal('failed_precondition', 'This webhook was deleted: register it anew.')
  if (others < MOST_WEBHOOKS) return [{ type: 'WebhookRegistered', data: command }]
  throw new Refusal(
    'failed_precondition',
    `There are ${MOST_WEBHOOKS} webhooks already, which is the limit: delete one that is no longer needed.`,
  )
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

/** @throws Refusal not_found when it is not, or no longer, there */
export function mustBeThere(state: WebhookState): LiveWebhook {
  if (isActive(state)) return state
  throw new Refusal('not_found', 'No such webhook.')
}
