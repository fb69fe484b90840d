import { queueDelivery } from '../../commands/delivery.ts'
import { handle, type CommandDeps } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { delivery, deliveryId, type DeliveryContent } from '../../domain/webhook/delivery.ts'
import { parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import { webhook } from '../../domain/webhook/webhook.ts'
import { bodyOf, PUBLIC_CATEGORIES, publicEvents, type PublicEvent } from '../../domain/webhook/public-event.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { receiversOf, type Receiver } from './fan-out-receivers.ts'
import type { Interest } from '../runtime/follower-checkpoint.ts'
import { receivers, type Change } from '../runtime/receivers.ts'
import type { Handler } from '../runtime/follower.ts'

/** An event that is delivered to webhooks, or that changes which webhooks there are. */
interface Selected extends Change {
  readonly events: readonly PublicEvent[]
}

interface DueDelivery {
  readonly recorded: RecordedEvent
  readonly content: DeliveryContent
}

/** Concurrent appends. The log commits simultaneous ones together. */
const AT_ONCE = 64

export const FAN_OUT: Interest<Selected> = {
  name: 'fan-out',
  categories: [...PUBLIC_CATEGORIES, webhook.category],
  select: (recorded) => {
    if (parseStreamName(recorded.stream).category === webhook.category) {
      return { recorded, isChange: true, events: [] }
    }
    const events = publicEvents(recorded)
    return events.length > 0 ? { recorded, isChange: false, events } : undefined
  },
}

/**
 * Queues each public event for the webhooks that asked for its kind before it happened (api-spec §6). A delivery's id derives
 * from event and webhook, so a repeat queues nothing twice.
 */
export function fanOut(
  deps: CommandDeps & { readonly db: Database; readonly seen: Pick<Seen, 'waitFor'> },
): Handler<Selected> {
  const webhooks = receivers(deps.seen, 'webhooks', (ids, position) => receiversOf(deps.db, ids, position))
  return async (selected, signal) => {
    webhooks.note(selected)
    const occurrences = selected.flatMap(({ recorded, events }) => events.map((event) => ({ recorded, event })))
    if (occurrences.length === 0) return
    const workspaceIds = [...new Set(occurrences.map(({ event }) => event.workspaceId))]
    const found = await webhooks.of(workspaceIds, signal)
    if (!found) return
    await each(deliveriesOf(occurrences, found, signal), ({ recorded, content }) => {
      const cause = {
        commandId: recorded.id,
        actor: { kind: 'reactor', id: 'fan-out' },
        correlationId: parseStreamName(recorded.stream).id,
      } as const
      const id = deliveryId(content.eventId, content.webhookId)
      return handle(deps, delivery, id, cause, (state) => queueDelivery(state, content), { expectNew: true })
    })
  }
}

/** Yields deliveries lazily: a batch may have tens of thousands. Ends early when the signal aborts. */
function* deliveriesOf(
  occurrences: readonly { readonly recorded: RecordedEvent; readonly event: PublicEvent }[],
  receivers: readonly Receiver[],
  signal: AbortSignal,
): Generator<DueDelivery> {
  const ofWorkspace = new Map<string, Receiver[]>()
  for (const receiver of receivers) {
    ofWorkspace.set(receiver.workspaceId, [...(ofWorkspace.get(receiver.workspaceId) ?? []), receiver])
  }
  for (const { recorded, event } of occurrences) {
    const wanting = (ofWorkspace.get(event.workspaceId) ?? []).filter(
      ({ events, registeredPosition }) =>
        events.includes(event.event) && BigInt(registeredPosition) < recorded.position,
    )
    if (wanting.length === 0) continue
    const { id: eventId, workspaceId, event: name } = event
    const body = bodyOf(event)
    for (const { id: webhookId } of wanting) {
      if (signal.aborted) return
      yield { recorded, content: { workspaceId, webhookId, eventId, event: name, body } }
    }
  }
}

/** Runs `work` for all items, `AT_ONCE` at a time. The first failure ends it, once nothing is in progress. */
async function each<T>(items: Generator<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const slot = async () => {
    // A failure ends the generator, for the other loops too.
    for (const item of items) await work(item)
  }
  const slots = await Promise.allSettled(Array.from({ length: AT_ONCE }, slot))
  const failed = slots.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
