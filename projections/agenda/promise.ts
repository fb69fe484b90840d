import type { RecordedEvent } from '../../domain/core/event.ts'
import type { AgendaRow } from './agenda.ts'

/** What one kind of work is owed by, and until when. Pure, as every projection. */
export interface PromiseKind {
  /** Names of the rows that an event changes, without the kind's own prefix. */
  names(event: RecordedEvent): readonly string[]
  /** The promise after the event; undefined when nothing is owed any more. */
  apply(promise: Promised | undefined, event: RecordedEvent, name: string): Promised | undefined
  /** As a projection's; absent: `atStreamStart`. */
  makesAnew?(event: RecordedEvent): boolean
}

/** `lane` is one of this kind's own: whatever it is called, no other kind has rows in it. */
export type Promised = Pick<AgendaRow, 'subject' | 'part' | 'lane' | 'due_at'>
