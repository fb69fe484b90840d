import { findEmbeddedPostgres, startEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { TEST_DATA_DIR } from './postgres.ts'

/* Runs after all test files: adopts the suite's server and stops it. */
if (await findEmbeddedPostgres(TEST_DATA_DIR)) {
  const server = await startEmbeddedPostgres({ dataDir: TEST_DATA_DIR, log: () => undefined, clock: systemClock })
  await server.stop()
}
