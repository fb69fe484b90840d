import { chargeCredits, closeBooks } from '../../commands/credits.ts'
import { handle } from '../../commands/handle.ts'
import { streamName } from '../../domain/core/event.ts'
import { credits, type CreditsEvent } from '../../domain/video/credits.ts'
import { NO_STREAM, type EventLog } from '../../event-log/event-log.ts'
import { APPENDED } from '../../event-log/postgres/append.ts'
import { postgresLog } from '../../event-log/postgres/log.ts'
import { migrate } from '../../infra/postgres/migrate.ts'
import { listenForSignals } from '../../infra/postgres/signal.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { ENTRIES_PER_BOOK } from '../../projections/agenda/books.ts'
import { ids, metadata } from './post.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { poolOf16, type Server } from './server.ts'
import { percentile } from './stats.ts'

const CHARGES = 100_000
const SAMPLES = 100
const GRANTED = 1_000_000

/** The cost of a charge, by the number of charges before it, with books closed as often as the service closes them. */
export async function benchCredits(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const connectionString = await server.database('credits')
  await migrate(connectionString)
  const db = poolOf16(connectionString)
  const signals = listenForSignals({ connectionString, channels: [APPENDED], clock: systemClock })
  const log = postgresLog({ db, signals, clock: systemClock })
  try {
    const old = ledger(log)
    while (old.charges() < CHARGES) {
      await old.fill()
      await old.close()
    }
    options.progress(`  a workspace has made ${old.charges().toLocaleString('en')} charges`)
    const late = charging('the 100,000th charge', async () => {
      await old.fill()
      return old
    })
    const early = charging('the 100th charge', async () => {
      const young = ledger(log)
      await young.fill()
      return young
    })
    const [lateRounds = [], earlyRounds = []] = await takeTurns([late, early], options)
    return [
      compare(
        'a charge, 100,000 charges before it',
        'ms',
        { name: 'Fanfare', rounds: lateRounds },
        { name: early.name, rounds: earlyRounds },
        { ratio: 1.2, isMost: true },
      ),
    ]
  } finally {
    await signals.close()
    await db.end()
  }
}

type Ledger = ReturnType<typeof ledger>

/** A workspace's credits. */
function ledger(log: EventLog) {
  const workspaceId = resourceId('ws', ids.ulid())
  const deps = { log, clock: systemClock }
  const cause = () => {
    const id = crypto.randomUUID()
    return { commandId: id, actor: { kind: 'cli', id: 'bench' }, correlationId: id } as const
  }
  let [revision, balance, charges] = [NO_STREAM, 0, 0]
  const charged = (): CreditsEvent => {
    charges += 1
    balance -= 1
    return {
      type: 'CreditsCharged',
      data: { workspaceId, amount: 1, balance, videoId: resourceId('vid', ids.ulid()) },
    }
  }
  const granted = (): CreditsEvent => {
    balance += GRANTED
    return { type: 'CreditsGranted', data: { workspaceId, amount: GRANTED, balance } }
  }
  return {
    charges: () => charges,
    /** Brings the open book to its longest but one entry. */
    fill: async () => {
      const entries = Array.from({ length: ENTRIES_PER_BOOK - 1 }, () => (balance === 0 ? granted() : charged()))
      const events = entries.map((event) => ({ ...event, id: crypto.randomUUID(), metadata: metadata() }))
      revision = (await log.append(streamName(credits, workspaceId), events, revision)).revision
    },
    charge: async () => {
      const charge = { workspaceId, videoId: resourceId('vid', ids.ulid()), amount: 1 }
      const { state } = await handle(deps, credits, workspaceId, cause(), (state) => chargeCredits(state, charge))
      if (state.balance !== balance - 1) throw new Error(`the balance is ${state.balance} instead of ${balance - 1}`)
      ;[revision, balance, charges] = [revision + 1, balance - 1, charges + 1]
    },
    close: async () => {
      const closing = { workspaceId, isSettled: () => true }
      await handle(deps, credits, workspaceId, cause(), (state) => closeBooks(state, closing))
      revision += 1
    },
  }
}

function charging(name: string, next: () => Promise<Ledger>): Contender {
  return {
    name,
    measure: async () => {
      const times: number[] = []
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        const ledger = await next()
        const start = performance.now()
        await ledger.charge()
        times.push(performance.now() - start)
        await ledger.close()
      }
      return { perSecond: percentile(times, 50), p99: percentile(times, 99) }
    },
  }
}
