import { startEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { TEST_DATA_DIR } from './postgres.ts'

/* Starts the suite's own server and leaves it running: it outlives this process. */
await startEmbeddedPostgres({ dataDir: TEST_DATA_DIR, log: () => undefined, clock: systemClock })
process.exit(0)
