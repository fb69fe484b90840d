import type { DomainEvent, Metadata, StreamKind } from '../domain/core/event.ts'

/** The next decision does not depend on the metadata. */
const NOT_YET_WRITTEN: Metadata = {
  at: new Date(0).toISOString(),
  actor: { kind: 'reactor', id: 'foreseen' },
  correlationId: '',
  causationId: '',
}

/** The state after events that are about to be appended. */
export function foreseen<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  before: State,
  events: readonly Event[],
): State {
  return events.reduce((state, event) => kind.evolve(state, event, NOT_YET_WRITTEN), before)
}
