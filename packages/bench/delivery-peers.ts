import { readFile } from 'node:fs/promises'
import { Logger, run } from 'graphile-worker'
import PgBoss from 'pg-boss'
import { Agent, request } from 'undici'
import { given, measureAsWorker } from './child.ts'
import { hands } from './pace.ts'
import { poolOf16 } from './server.ts'
import type { Measured } from './stats.ts'

/*
 * The same messages sent by a job queue on Postgres: for each event one insert of its jobs, for each job one request and one row
 * with the outcome. Nothing is signed, no order is kept, and nobody can read anything but the rows.
 */

interface Message {
  readonly path: string
  readonly body: string
}

/** Queues the jobs of one event. */
type Queue = (messages: readonly Message[]) => Promise<void>

const EACH = Number(given('EACH'))
const AT_ONCE = Number(given('AT_ONCE'))
const receiver = given('RECEIVER')
const connectionString = given('DATABASE_URL')
const LOOK_EVERY_MS = 20

const db = poolOf16(connectionString)
await db.query(
  `create table outcomes (
    id bigint generated always as identity primary key, path text not null, body text not null, status int not null,
    at timestamptz not null default now())`,
)
const agent = new Agent({ connections: AT_ONCE })

async function deliver({ path, body }: Message): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await request(`${receiver}${path}`, { method: 'POST', headers, body, dispatcher: agent })
  await answer.body.dump()
  await db.query('insert into outcomes (path, body, status) values ($1, $2, $3)', [path, body, answer.statusCode])
}

async function graphileWorker(): Promise<Queue> {
  await run({
    ...{ connectionString, concurrency: AT_ONCE, maxPoolSize: 16, noHandleSignals: true },
    logger: new Logger(() => () => undefined),
    taskList: { deliver: (payload) => deliver(payload as Message) },
  })
  const add = `select graphile_worker.add_job('deliver', job::json) from unnest($1::text[]) as job`
  return async (messages) => void (await db.query(add, [messages.map((message) => JSON.stringify(message))]))
}

async function pgBoss(): Promise<Queue> {
  const boss = new PgBoss({ connectionString, max: 16 })
  await boss.start()
  await boss.createQueue('deliver')
  const hand = hands(AT_ONCE)
  // It fetches twice a second at most, so it has to fetch many.
  const options = { batchSize: 1_000, pollingIntervalSeconds: 0.5 }
  await boss.work<Message>('deliver', options, async (jobs) => {
    await Promise.all(jobs.map(({ data }) => hand(() => deliver(data))))
  })
  return (messages) => boss.insert(messages.map((data) => ({ name: 'deliver', data })))
}

const queue = await (given('PEER') === 'pg-boss' ? pgBoss() : graphileWorker())

async function measure(): Promise<Measured> {
  const messages = JSON.parse(await readFile(given('MESSAGES'), 'utf8')) as readonly Message[]
  await db.query('truncate outcomes')
  const start = performance.now()
  const events = Array.from({ length: messages.length / EACH }, (_, nth) =>
    messages.slice(nth * EACH, (nth + 1) * EACH),
  )
  await Promise.all(events.map(queue))
  for (let done = 0; done < messages.length;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    const { rows } = await db.query<{ done: number }>('select count(*)::int as done from outcomes where status = 204')
    done = rows[0]?.done ?? 0
  }
  return { perSecond: (messages.length * 1000) / (performance.now() - start) }
}

await measureAsWorker(measure)
process.exit()
