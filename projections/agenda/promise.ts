import type { RecordedEvent } from '../../domain/core/event.ts'
import type { AgendaRow } from './agenda.ts'

/** Derives one kind of due work from events. Pure, like every projection. */
export interface PromiseKind {
  /** Names of the rows that an event changes, without the kind's prefix. */
  names(event: RecordedEvent): readonly string[]
  /** The row after the event; undefined when no work is due. */
  apply(promise: Promised | undefined, event: RecordedEvent, name: string): Promised | undefined
  /** As in `Projection`. Default: `atStreamStart`. */
  createsRow?(event: RecordedEvent): boolean
}

/** `lane` is scoped to this kind: no other kind shares it, even under the same name. */
export type Promised = Pick<AgendaRow, 'subject' | 'part' | 'lane' | 'dueAt'>
