import type { RecordedEvent } from '../../domain/core/event.ts'
import type { Promised } from '../../projections/agenda/promise.ts'
import { publish } from '../../projections/agenda/publish.ts'
import { recycle } from '../../projections/agenda/recycle.ts'
import { schedule } from '../../projections/agenda/schedule.ts'

/** The due work from which posts come. */
const KINDS = { schedule, publish, recycle }
export type RehearsedKind = keyof typeof KINDS
const ENTRIES = Object.entries(KINDS) as [RehearsedKind, (typeof KINDS)[RehearsedKind]][]

export interface RehearsedRow extends Promised {
  /** As in the real agenda. */
  readonly id: string
  readonly kind: RehearsedKind
  /** When it can be worked on, ms since the epoch: once it is due, and not postponed. */
  readonly at: number
}

/** The agenda, in memory. Rows of one moment come in the order in which they were written. */
export function rehearsedAgenda() {
  const rows = new Map<string, RehearsedRow>()
  /** By the time at which they are due; those that were changed since are still in it. */
  const due = new Map<number, RehearsedRow[]>()
  const times: number[] = []

  const put = (row: RehearsedRow): void => {
    rows.set(row.id, row)
    const beside = due.get(row.at)
    if (beside) return void beside.push(row)
    due.set(row.at, [row])
    let [low, high] = [0, times.length]
    while (low < high) {
      const middle = (low + high) >> 1
      // The soonest is at the end.
      if ((times[middle] ?? 0) > row.at) low = middle + 1
      else high = middle
    }
    times.splice(low, 0, row.at)
  }

  return {
    put,
    apply: (event: RecordedEvent): void => {
      for (const [kind, promises] of ENTRIES) {
        for (const name of promises.names(event)) {
          const id = `${kind}:${name}`
          const before = rows.get(id)
          const after = promises.apply(before, event, name)
          if (!after) rows.delete(id)
          else if (after !== before) put({ ...after, id, kind, at: Date.parse(after.dueAt) })
        }
      }
    },
    /** Takes the next row that can be worked on by then (ms since the epoch). */
    next: (until: number): RehearsedRow | undefined => {
      for (let at = times.at(-1); at !== undefined && at <= until; at = times.at(-1)) {
        const row = due.get(at)?.shift()
        if (row && rows.get(row.id) === row) return row
        if (row) continue
        due.delete(at)
        times.pop()
      }
      return undefined
    },
    /** Ends the work on a row that no event has changed. @param until postpones it; undefined: nothing was left to do */
    end: (row: RehearsedRow, until: number | undefined): void => {
      if (rows.get(row.id) !== row) return
      if (until === undefined) rows.delete(row.id)
      else put({ ...row, at: until })
    },
  }
}
