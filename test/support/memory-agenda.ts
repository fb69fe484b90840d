import type { RecordedEvent } from '../../domain/core/event.ts'
import { agenda, type AgendaRow } from '../../projections/agenda/agenda.ts'

/** The real agenda over a log in memory. Its rows are as old as the last time that it caught up. */
export function memoryAgenda(log: { readonly events: readonly RecordedEvent[] }) {
  const rows = new Map<string, AgendaRow>()
  let read = 0
  return {
    rows: rows as ReadonlyMap<string, AgendaRow>,
    catchUp: () => {
      for (const event of log.events.slice(read)) {
        for (const id of agenda.rowIds(event)) {
          const row = agenda.apply(rows.get(id), event, id)
          if (row) rows.set(id, row)
          else rows.delete(id)
        }
      }
      read = log.events.length
    },
    /** As after a restart with empty tables. */
    forget: () => {
      rows.clear()
      read = 0
    },
  }
}
