import { loaded, type CommandDeps, type Loaded } from '../../../commands/handle.ts'
import { webhook, type WebhookState } from '../../../domain/webhook/webhook.ts'

/** Number of cached webhooks. */
const MOST = 10_000

/**
 * Returns a webhook's current state. Deliveries need the same webhooks again and again, so states are cached and only newer
 * events are read.
 */
export function webhookStates(log: CommandDeps['log']): (id: string) => Promise<WebhookState> {
  const known = new Map<string, Loaded<WebhookState>>()
  return async (id) => {
    const now = await loaded(log, webhook, id, known.get(id))
    // Move it to the end: the first is the least recently used.
    known.delete(id)
    known.set(id, now)
    const [oldest] = known.keys()
    if (known.size > MOST && oldest !== undefined) known.delete(oldest)
    return now.state
  }
}
