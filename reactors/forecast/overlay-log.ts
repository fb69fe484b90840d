import type { NewEvent, RecordedEvent } from '../../domain/core/event.ts'
import type { CommandDeps } from '../../commands/handle.ts'

type Log = CommandDeps['log']

/** A log over another one, which is only read: what is appended stays in memory. */
export interface OverlayLog extends Log {
  /** Begins a stream that the other log is not asked for. */
  begin(stream: string, events: readonly NewEvent[]): void
}

/** @param onAppended called for each event, also of `begin` */
export function overlayLog(real: Log, onAppended: (event: RecordedEvent) => void): OverlayLog {
  const streams = new Map<string, RecordedEvent[]>()
  let position = 0n
  const add = (stream: string, to: RecordedEvent[], events: readonly NewEvent[]) => {
    for (const event of events) {
      const recorded = { ...event, stream, revision: (to.at(-1)?.revision ?? -1) + 1, position: (position += 1n) }
      to.push(recorded)
      onAppended(recorded)
    }
  }
  const eventsOf = async (stream: string, from: Parameters<Log['read']>[1]): Promise<RecordedEvent[]> => {
    const known = streams.get(stream)
    if (known) return known
    const events = [...(await real.read(stream, from))]
    streams.set(stream, events)
    return events
  }
  return {
    ...real,
    begin: (stream, events) => {
      const begun: RecordedEvent[] = []
      streams.set(stream, begun)
      add(stream, begun, events)
    },
    read: async (stream, from = 0) => {
      const events = await eventsOf(stream, from)
      if (typeof from === 'number') return from === 0 ? events : events.filter(({ revision }) => revision >= from)
      return events.slice(
        Math.max(
          0,
          events.findLastIndex(({ type }) => type === from.lastOf),
        ),
      )
    },
    append: async (stream, events, expected) => {
      const own = await eventsOf(stream, 0)
      const revision = own.at(-1)?.revision ?? -1
      if (revision !== expected) throw new Error(`${stream} is at revision ${revision}, not at ${expected}`)
      add(stream, own, events)
      return { position, revision: revision + events.length }
    },
  }
}
