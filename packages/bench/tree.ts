import { AS_STORED } from '../../event-log/codec.ts'
import { START } from '../../event-log/event-log.ts'
import { APPENDED } from '../../event-log/postgres/append.ts'
import { createEventKeys } from '../../event-log/postgres/event-keys.ts'
import { postgresLog } from '../../event-log/postgres/log.ts'
import { createLogTree } from '../../event-log/tree/log-tree.ts'
import { beginTree } from '../../event-log/tree/tree-store.ts'
import { migrate } from '../../infra/postgres/migrate.ts'
import { listenForSignals } from '../../infra/postgres/signal.ts'
import { createVault } from '../../infra/postgres/vault.ts'
import { fixedKeyRing } from '../../infra/runtime/key-ring.ts'
import { systemClock as clock } from '../../infra/runtime/clock.ts'
import { writeHistory } from './history.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { poolOf16, type Server } from './server.ts'

const POSTS = 20_000

/** What the first head of a long log costs: hashing all of it, against reading it. Verifying it costs the same. */
export async function benchTree(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const connectionString = await server.database('tree')
  await migrate(connectionString)
  const db = poolOf16(connectionString)
  const signals = listenForSignals({ connectionString, channels: [APPENDED], clock })
  const log = postgresLog({ db, signals, clock })
  const stored = postgresLog({ db, signals, clock, codec: AS_STORED })
  const vault = createVault(db, fixedKeyRing([Buffer.alloc(32, 7)]))
  const keys = createEventKeys({ db, vault, now: clock.now })
  const tree = createLogTree({ db, vault, stored, keys, now: clock.now })
  try {
    options.progress('  writing the log')
    const events = await writeHistory(log, POSTS)
    const timed = async (work: () => Promise<unknown>) => {
      const start = performance.now()
      await work()
      return { perSecond: (events * 1_000) / (performance.now() - start) }
    }
    const hashing: Contender = {
      name: 'Fanfare',
      measure: async () => {
        await beginTree(db)
        const measured = await timed(() => tree.sign())
        const { head } = await tree.newest()
        if (head?.size !== events) throw new Error(`the head covers ${head?.size} of ${events} events`)
        return measured
      },
    }
    const reading: Contender = {
      name: 'reading them',
      measure: () =>
        timed(async () => {
          let read = 0
          for await (const delivery of stored.subscribe(START)) {
            if (delivery.kind === 'caught-up') break
            read += delivery.events.length
          }
          if (read !== events) throw new Error(`${read} of ${events} events were read`)
        }),
    }
    const [ours = [], theirs = []] = await takeTurns([hashing, reading], options)
    const what = `hash ${events.toLocaleString('en')} events`
    return [compare(what, 'events/s', { name: hashing.name, rounds: ours }, { name: reading.name, rounds: theirs })]
  } finally {
    for (const one of [log, stored]) await one.close()
    await signals.close()
    await db.end()
  }
}
