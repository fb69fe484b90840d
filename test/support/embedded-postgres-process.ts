import pg from 'pg'
import { startEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import type { Report } from './embedded-postgres.ts'

const report = (message: Report) => void process.send?.(message)
const [dataDir = '', systemDir = ''] = process.argv.slice(2)

/** Commits numbers one by one and reports each as soon as Postgres has acknowledged it. */
async function write(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('create table if not exists numbers (number int primary key)')
  for (let number = 1; ; number++) {
    await client.query('insert into numbers values ($1)', [number])
    report({ kind: 'committed', number })
  }
}

try {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    systemDir,
    clock: systemClock,
    log: (message) => report({ kind: 'log', message }),
  })
  report({ kind: 'started', connectionString: postgres.connectionString, adopted: postgres.adopted })
  process.on('message', (command) => {
    if (command === 'write') void write(postgres.connectionString)
    if (command === 'stop') void postgres.stop().then(() => process.disconnect())
  })
} catch (error) {
  report({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  process.disconnect()
}
