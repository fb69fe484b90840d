import type { Pool } from 'pg'
import { migrate } from '../../infra/postgres/migrate.ts'
import { listenForSignals } from '../../infra/postgres/signal.ts'
import { APPENDED } from '../../event-log/postgres/append.ts'
import { postgresLog } from '../../event-log/postgres/log.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import { projections } from '../../projections/models/index.ts'
import { createProjector, type Projector } from '../../projections/engine/projector.ts'
import { layOutTables } from '../../projections/engine/tables.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { copyFloor } from './copy-floor.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { poolOf16, type Server } from './server.ts'

/** A log, and the read models to build from it. */
export interface Scene {
  readonly connectionString: string
  readonly db: Pool
  readonly log: EventLog
  readonly projector: Projector
}

/** What is measured: all read models are up to date, and `makeAnew` builds them again and returns the seconds. */
interface Making {
  readonly what: string
  readonly events: number
  makeAnew(): Promise<number>
  /** The same without checking the events. */
  withoutCodec?(): Promise<number>
}

/**
 * Builds all read models of a log, against COPY of the finished rows into tables with the same indexes. Both in events/s: the
 * same number of events, divided by the time of each. The results are compared with the original rows, one by one.
 */
export async function benchReadModels(
  server: Server,
  database: string,
  options: RoundOptions,
  prepare: (scene: Scene) => Promise<Making>,
): Promise<readonly Comparison[]> {
  const connectionString = await server.database(database)
  await migrate(connectionString)
  const db = poolOf16(connectionString)
  const signals = listenForSignals({ connectionString, channels: [APPENDED], clock: systemClock })
  const log = postgresLog({ db, signals, clock: systemClock })
  try {
    await layOutTables(db, projections)
    const logger = createLogger('error')
    const projector = createProjector({ db, log, signals, projections, clock: systemClock, logger })
    const { what, events, makeAnew, withoutCodec } = await prepare({ connectionString, db, log, projector })
    const floor = await copyFloor(db)
    const measured = (name: string, make: () => Promise<number>): Contender => ({
      name,
      measure: async () => {
        const seconds = await make()
        await floor.check('read')
        return { perSecond: events / seconds }
      },
    })
    const contenders = [
      measured('Fanfare', makeAnew),
      { name: 'COPY of the finished rows', measure: async () => ({ perSecond: events / (await floor.copy()) }) },
      ...(withoutCodec ? [measured('without the codec', withoutCodec)] : []),
    ]
    const [a = [], ...others] = await takeTurns(contenders, options)
    return others.map((rounds, index) => {
      const theirs = { name: contenders[index + 1]?.name ?? '', rounds }
      return compare(what, 'events/s', { name: 'Fanfare', rounds: a }, theirs, { ratio: index === 0 ? 0.25 : 0.9 })
    })
  } finally {
    await log.close()
    await signals.close()
    await db.end()
  }
}
