import { fastify } from 'fastify'
import { startEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { openPool } from '../../infra/postgres/pool.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { given } from './child.ts'
import { ignoreIdle } from './server.ts'

/* The minimum that answers requests from an embedded Postgres: Fastify, a pool, one route. Runs until SIGTERM. */

const embedded = await startEmbeddedPostgres({ dataDir: given('DATA_DIR'), log: () => undefined, clock: systemClock })
const pool = openPool(embedded.connectionString, { max: 16, name: 'floor', onError: ignoreIdle })
const app = fastify()
app.get('/healthz', async () => (await pool.query("select 'ok' as status")).rows[0])
await app.listen({ port: Number(given('PORT')), host: '127.0.0.1' })
await new Promise((resolve) => process.once('SIGTERM', resolve))
await app.close()
await pool.end()
await embedded.stop()
