import { loaded, type CommandDeps, type Loaded } from '../../../commands/handle.ts'
import { webhook, type WebhookState } from '../../../domain/webhook/webhook.ts'

/** Webhooks that are remembered. */
const MOST = 10_000

/**
 * Tells how a webhook is now. Who delivers asks for the same ones again and again: what they were is remembered, and only what
 * has come since is read.
 */
export function webhookStates(log: CommandDeps['log']): (id: string) => Promise<WebhookState> {
  const known = new Map<string, Loaded<WebhookState>>()
  return async (id) => {
    const now = await loaded(log, webhook, id, known.get(id))
    // At the end, so that the first is the one that nobody has asked for the longest.
    known.delete(id)
    known.set(id, now)
    const [oldest] = known.keys()
    if (known.size > MOST && oldest !== undefined) known.delete(oldest)
    return now.state
  }
}
