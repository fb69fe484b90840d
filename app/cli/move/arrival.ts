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
import { invitation } from '../../../domain/workspace/invitation.ts'
import { derivedId } from '../../../domain/core/ids.ts'
import { channel, isLiveChannel } from '../../../domain/notification/channel.ts'
import { reviewSecrets } from '../../../domain/post/review-secrets.ts'
import { member } from '../../../domain/workspace/member.ts'
import { user } from '../../../domain/workspace/user.ts'
import { isActive, webhook } from '../../../domain/webhook/webhook.ts'
import { requireReauth } from '../../../commands/account-standing.ts'
import { removeChannel } from '../../../commands/channel.ts'
import { removeMember } from '../../../commands/member.ts'
import { revokeInvitation } from '../../../commands/invitation.ts'
import { revokeResetLink } from '../../../commands/reset-link.ts'
import { revokeReviewLinks } from '../../../commands/review-link.ts'
import { revokeApiKey } from '../../../commands/revoke-api-key.ts'
import { disableTotp } from '../../../commands/totp.ts'
import { removeUser } from '../../../commands/user.ts'
import { deleteWebhook } from '../../../commands/webhook.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'

/*
 * The state of a workspace without any of its secrets: its accounts wait for their owner, its keys and links are invalid, its users sign in
 * with a password alone, those whose account began in another workspace are removed, its webhooks deliver nothing, and its notification channels are gone. Existing event types express this, so everything
 * behaves as for an account that has lost its access.
 */

const MOVED = 'The account was moved here from another installation without its credentials.'

/** An event as it may leave the installation: nothing in it recognizes a key or a link. */
export function withoutSecrets<Event extends RecordedEvent>(event: Event): Event {
  return 'secretHash' in event.data ? { ...event, data: { ...event.data, secretHash: '' } } : event
}

/** Determines from all events of a workspace what to write after them. */
export interface Arrivals {
  meet(event: RecordedEvent): void
  /** The streams to write to. */
  streams(): readonly string[]
  /** What follows the last event of a stream of this length; nothing for most. */
  after(stream: string, length: number): readonly NewEvent[]
  /** The accounts that wait for their owner: their ids, each with the name that the owner knows. */
  waiting(): ReadonlyMap<string, string>
}

/** @param now ms since the epoch */
export function arrivals(now: number, actor: Actor): Arrivals {
  const accounts = states(account, (state) => requireReauth(state, MOVED))
  const keys = states(apiKey, (state) => (state.status === 'active' ? revokeApiKey(state) : []))
  const invitations = states(invitation, (state) => (state.status === 'open' ? revokeInvitation(state) : []))
  const users = states(user, (state) => {
    if (state.status !== 'active') return []
    // Nor does an account arrive that goes on in other workspaces only.
    return state.hasLeft ? removeUser(state) : [...revokeResetLink(state), ...disableTotp(state)]
  })
  // Their account belongs to another workspace: who has that name here may be somebody else.
  const members = states(member, (state) => (state.status === 'active' ? removeMember(state) : []))
  const links = states(reviewSecrets, revokeReviewLinks)
  const webhooks = states(webhook, (state) => (isActive(state) ? deleteWebhook(state) : []))
  const channels = states(channel, (state) => (isLiveChannel(state) ? removeChannel(state, 'requested') : []))
  const kinds = [accounts, keys, invitations, users, members, links, webhooks, channels]
  return {
    meet: (event) => kinds.forEach((kind) => kind.meet(event)),
    streams: () => kinds.flatMap((kind) => kind.pending()),
    after: (stream, length) =>
      kinds
        .flatMap((kind): readonly DomainEvent[] => kind.next(stream))
        .map(({ type, data }, nth) => {
          const id = derivedId('arrival', stream, length + nth)
          const metadata = { at: isoTime(now), actor, correlationId: stream, causationId: id }
          return { id, type, data, metadata }
        }),
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
    pending: () => [...known.keys()].filter((stream) => next(stream).length > 0),
    states: (): ReadonlyMap<string, State> => known,
  }
}
