import { account } from '../../../domain/account/account.ts'
import { apiKey } from '../../../domain/workspace/api-key.ts'
import {
  eventOf,
  parseStreamName,
  type Actor,
  type DomainEvent,
  type NewEvent,
  type RecordedEvent,
  type StreamKind,
} from '../../../domain/core/event.ts'
import { derivedId } from '../../../domain/core/ids.ts'
import { isActive, webhook } from '../../../domain/webhook/webhook.ts'
import { requireReauth } from '../../../commands/account-standing.ts'
import { revokeApiKey } from '../../../commands/revoke-api-key.ts'
import { deleteWebhook } from '../../../commands/webhook.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'

/*
 * What a workspace is where none of its secrets are: its accounts wait for their owner, its keys open nothing, and its
 * webhooks tell nobody anything. It is said by events that there are, so that all behaves as for an account that has lost
 * its access.
 */

const MOVED = 'It was moved here from another installation, without its credentials.'

/** An event as it may leave the installation: a key's has nothing that the key could be recognised by. */
export function withoutSecrets<Event extends RecordedEvent>(event: Event): Event {
  return eventOf(apiKey, event)?.type === 'ApiKeyCreated'
    ? { ...event, data: { ...event.data, secretHash: '' } }
    : event
}

/** Learns from all of a workspace's events what is to be written after them. */
export interface Arrivals {
  meet(event: RecordedEvent): void
  /** The streams that something is to be written to. */
  streams(): readonly string[]
  /** What is to follow the last event of a stream that has these many; undefined for most. */
  after(stream: string, length: number): NewEvent | undefined
  /** The accounts that are to wait for their owner: their ids, each with the name that he knows. */
  waiting(): ReadonlyMap<string, string>
}

/** @param now ms since the epoch */
export function arrivals(now: number, actor: Actor): Arrivals {
  const accounts = states(account, (state) => requireReauth(state, MOVED))
  const keys = states(apiKey, (state) => (state.status === 'active' ? revokeApiKey(state) : []))
  const webhooks = states(webhook, (state) => (isActive(state) ? deleteWebhook(state) : []))
  const kinds = [accounts, keys, webhooks]
  return {
    meet: (event) => kinds.forEach((kind) => kind.meet(event)),
    streams: () => kinds.flatMap((kind) => kind.owed()),
    after: (stream, length) => {
      const [event] = kinds.flatMap((kind): readonly DomainEvent[] => kind.next(stream))
      if (!event) return undefined
      const id = derivedId('arrival', stream, length)
      const metadata = { at: isoTime(now), actor, correlationId: stream, causationId: id }
      return { id, type: event.type, data: event.data, metadata }
    },
    waiting: () =>
      new Map(
        [...accounts.states()].flatMap(([stream, state]) =>
          state.status === 'connected' ? [[parseStreamName(stream).id, `${state.platform} ${state.label}`]] : [],
        ),
      ),
  }
}

function states<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  decide: (state: State) => readonly Event[],
) {
  const known = new Map<string, State>()
  const next = (stream: string): readonly Event[] => {
    const state = known.get(stream)
    return state === undefined ? [] : decide(state)
  }
  return {
    meet: (recorded: RecordedEvent) => {
      const event = eventOf(kind, recorded)
      const before = known.get(recorded.stream) ?? kind.initial
      if (event) known.set(recorded.stream, kind.evolve(before, event, recorded.metadata))
    },
    next,
    owed: () => [...known.keys()].filter((stream) => next(stream).length > 0),
    states: (): ReadonlyMap<string, State> => known,
  }
}
