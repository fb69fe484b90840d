import { migrate } from '../database/migrate.ts'
import { listenForSignals } from '../database/signal.ts'
import { APPENDED } from '../event-log/postgres-append.ts'
import { postgresLog } from '../event-log/postgres.ts'
import { projections } from '../projections/index.ts'
import { createProjector } from '../projections/projector.ts'
import { layOutTables, resetTables } from '../projections/tables.ts'
import { systemClock } from '../system/clock.ts'
import { createLogger } from '../system/logger.ts'
import { copyFloor, timed } from './copy-floor.ts'
import { writeHistory } from './history.ts'
import { compare, takeTurns, type Comparison, type RoundOptions } from './rounds.ts'
import { poolOf16, type Server } from './server.ts'
import type { Measured } from './stats.ts'

const POSTS = 40_000

/**
 * The projector brings every read model from empty to the end of the log; against that, COPY writes the finished rows
 * into tables with the same indexes. Both in events/s: the same number of events over the time each takes.
 */
export async function benchProjection(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const connectionString = await server.database('projection')
  await migrate(connectionString)
  const db = poolOf16(connectionString)
  const signals = listenForSignals({ connectionString, channels: [APPENDED], clock: systemClock })
  const log = postgresLog({ db, signals, clock: systemClock })
  try {
    await layOutTables(db, projections)
    const events = await writeHistory(log, POSTS)
    options.progress(`  the log holds ${events} events of ${POSTS} posts`)
    const projector = createProjector({
      db,
      log,
      signals,
      projections,
      clock: systemClock,
      logger: createLogger('error'),
    })
    await projector.catchUp()
    const floor = await copyFloor(db)
    const catchUp = async (): Promise<Measured> => {
      await resetTables(db, projections)
      const seconds = await timed(() => projector.catchUp())
      await floor.check('read')
      return { perSecond: events / seconds }
    }
    const copy = async (): Promise<Measured> => ({ perSecond: events / (await floor.copy()) })
    const contenders = [
      { name: 'Fanfare', measure: catchUp },
      { name: 'COPY of the finished rows', measure: copy },
    ] as const
    const [a = [], b = []] = await takeTurns(contenders, options)
    const [mine, theirs] = [
      { name: contenders[0].name, rounds: a },
      { name: contenders[1].name, rounds: b },
    ]
    return [compare('projection catch-up', 'events/s', mine, theirs, { ratio: 0.25 })]
  } finally {
    await log.close()
    await signals.close()
    await db.end()
  }
}
