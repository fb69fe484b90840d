import { fork } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import { migrate } from '../database/migrate.ts'
import { listenForSignals } from '../database/signal.ts'
import { APPENDED } from '../event-log/postgres-append.ts'
import { postgresLog } from '../event-log/postgres.ts'
import { projections } from '../projections/index.ts'
import { createProjector } from '../projections/projector.ts'
import { layOutTables } from '../projections/tables.ts'
import { systemClock } from '../system/clock.ts'
import { createLogger } from '../system/logger.ts'
import { copyFloor } from './copy-floor.ts'
import { writeHistory } from './history.ts'
import { compare, takeTurns, type Comparison, type RoundOptions } from './rounds.ts'
import { poolOf16, type Server } from './server.ts'
import type { Measured } from './stats.ts'

/** A million events; and a tenth of it before, to see whether memory grows with the log. */
const POSTS = [21_740, 195_660] as const

const rebuiltSchema = z.object({ events: z.number(), seconds: z.number(), peakMb: z.number(), equal: z.boolean() })

/**
 * A rebuild of all read models, from the first event to the exchanged and compared tables, in a process of its own;
 * against that, COPY writes the finished rows into tables with the same indexes. Both in events/s.
 */
export async function benchRebuild(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const connectionString = await server.database('rebuild')
  await migrate(connectionString)
  const db = poolOf16(connectionString)
  const signals = listenForSignals({ connectionString, channels: [APPENDED], clock: systemClock })
  const log = postgresLog({ db, signals, clock: systemClock })
  try {
    await layOutTables(db, projections)
    const logger = createLogger('error')
    const projector = createProjector({ db, log, signals, projections, clock: systemClock, logger })
    let events = 0
    for (const posts of POSTS) {
      events += await writeHistory(log, posts)
      await projector.catchUp()
      const { peakMb } = await rebuildOnce(connectionString, events)
      options.progress(`  the log holds ${events} events; a rebuild takes ${Math.round(peakMb)} MB at most`)
    }
    const floor = await copyFloor(db)
    const measure = async (): Promise<Measured> => {
      const { seconds } = await rebuildOnce(connectionString, events)
      await floor.check('read')
      return { perSecond: events / seconds }
    }
    const copy = async (): Promise<Measured> => ({ perSecond: events / (await floor.copy()) })
    const contenders = [
      { name: 'Fanfare', measure },
      { name: 'COPY of the finished rows', measure: copy },
    ] as const
    const [a = [], b = []] = await takeTurns(contenders, options)
    const [mine, theirs] = [
      { name: contenders[0].name, rounds: a },
      { name: contenders[1].name, rounds: b },
    ]
    return [compare(`rebuild of ${events.toLocaleString('en')} events`, 'events/s', mine, theirs, { ratio: 0.25 })]
  } finally {
    await log.close()
    await signals.close()
    await db.end()
  }
}

async function rebuildOnce(connectionString: string, events: number): Promise<z.infer<typeof rebuiltSchema>> {
  const child = fork(new URL('./rebuild-process.js', import.meta.url), { env: { ...process.env, connectionString } })
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the rebuild ended with ${code}`)
  })
  ended.catch(() => undefined)
  const [message] = (await Promise.race([once(child, 'message'), ended])) as unknown[]
  await ended.catch(() => undefined)
  const rebuilt = rebuiltSchema.parse(message)
  if (!rebuilt.equal || rebuilt.events !== events) throw new Error('the rebuilt tables are not those expected')
  return rebuilt
}
