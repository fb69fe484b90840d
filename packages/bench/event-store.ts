import { writeHistory } from './history.ts'
import { startWorker } from './child.ts'
import { startEventStoreDb } from './named-servers.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'
import { environmentOf, openAt } from './service.ts'

const POSTS = 10_000

/** Appending to EventStoreDB and rebuilding from it, against its own client with the same events. Each side in a process of its own. */
export async function benchEventStore(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<void>)[] = []
  try {
    const store = await startEventStoreDb(server.folder, options.progress)
    if (!store) return []
    closing.unshift(store.stop)
    const environment = { ...(await environmentOf(server, 'event_store')), EVENTSTORE_URL: store.url }
    const core = await openAt(environment)
    closing.unshift(core.close)
    const events = await writeHistory(core.log, POSTS)
    await core.projector.catchUp()

    const worker = async (name: string, file: string, more: Readonly<Record<string, string>>): Promise<Contender> => {
      const { measure, stop } = await startWorker(file, { ...environment, ...more })
      closing.unshift(stop)
      return { name, measure }
    }
    const rebuilding = [
      await worker('Fanfare', './event-store-reader.js', { READS: 'rebuild', EVENTS: String(events) }),
      await worker('readAll of the client', './event-store-reader.js', { READS: 'all', EVENTS: String(events) }),
    ]
    const [a = [], b = []] = await takeTurns(rebuilding, options)
    const appending = [
      await worker('Fanfare', './append-writers.js', { STORE: 'eventstoredb', STORE_URL: store.url }),
      await worker('the client', './append-writers.js', { STORE: 'eventstoredb-client', STORE_URL: store.url }),
    ]
    const [c = [], d = []] = await takeTurns(appending, options)
    const [ours, rebuilt] = [{ name: 'Fanfare' }, `EventStoreDB: rebuild of ${events.toLocaleString('en')} events`]
    return [
      compare(
        rebuilt,
        'events/s',
        { ...ours, rounds: a },
        { name: 'readAll of the client', rounds: b },
        { ratio: 0.6 },
      ),
      compare(
        'EventStoreDB: append, 64 writers',
        'events/s',
        { ...ours, rounds: c },
        { name: 'the client', rounds: d },
        { ratio: 0.8 },
      ),
    ]
  } finally {
    for (const close of closing) await close()
  }
}
