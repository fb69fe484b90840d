import { openPool } from '../../infra/postgres/pool.ts'
import { listenForSignals } from '../../infra/postgres/signal.ts'
import { APPENDED } from '../../event-log/postgres/append.ts'
import { postgresLog } from '../../event-log/postgres/log.ts'
import { projections } from '../../projections/models/index.ts'
import { createProjector } from '../../projections/engine/projector.ts'
import { rebuild } from '../../projections/rebuild/rebuild.ts'
import { buildInThreads } from '../../projections/rebuild/threads.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { given } from './child.ts'
import { ignoreIdle } from './server.ts'
import { codecNamed } from './unchecked.ts'

/** Rebuilds everything once, reports the cost to its parent, and exits. */

const connectionString = given('connectionString')
const db = openPool(connectionString, { max: 8, name: 'bench', onError: ignoreIdle, queryTimeoutMs: 3_600_000 })
const signals = listenForSignals({ connectionString, channels: [APPENDED], clock: systemClock })
const log = postgresLog({ db, signals, clock: systemClock, codec: codecNamed(given('codec')) })
const logger = createLogger('error')
const projector = createProjector({ db, log, signals, projections, clock: systemClock, logger })
let events = 0
const began = performance.now()
const rebuilt = await rebuild(
  {
    ...{ db, log, projector, clock: systemClock, signal: new AbortController().signal },
    inThreads: buildInThreads(log, { connectionString, masterKeys: [] }),
    progress: (stage) => {
      if (stage.stage === 'reading') ({ events } = stage)
    },
  },
  projections,
  {},
)
const seconds = (performance.now() - began) / 1000
process.send?.({
  ...{ events, seconds, peakMb: process.resourceUsage().maxRSS / 1024 },
  equal: rebuilt.every(({ compared }) => compared === 'equal'),
})
await log.close()
await signals.close()
await db.end()
process.disconnect?.()
