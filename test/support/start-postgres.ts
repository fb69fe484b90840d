import { startEmbeddedPostgres } from '../../database/embedded.ts'
import { systemClock } from '../../system/clock.ts'
import { TEST_DATA_DIR } from './postgres.ts'

/* Starts the suite's own server and leaves it running: it outlives this process. */
await startEmbeddedPostgres({ dataDir: TEST_DATA_DIR, log: () => undefined, clock: systemClock })
process.exit(0)
