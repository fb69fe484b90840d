import t, { type Test } from 'tap'
import * as z from 'zod'
import { connectionStringOf } from './support/api.ts'
import { cuttingProxy } from './support/cutting-proxy.ts'
import { EVENTSTOREDB, givenEventStoreDb, type EventStoreDb } from './support/eventstoredb-server.ts'
import { eventStoreDbStandIn } from './support/eventstoredb-stand-in.ts'
import { givenNatsServer, hasNats } from './support/nats-server.ts'
import { bodyOf, httpServer } from './support/outbound-servers.ts'
import { testDatabase } from './support/postgres.ts'
import {
  givenHome,
  givenServing,
  killPostgres,
  runCommand,
  startProcess,
  until,
  type Home,
} from './support/service-process.ts'

/* A server goes away under the running service and comes back: nothing is lost, and nobody lends a hand. */

const errorSchema = z.object({ error: z.object({ code: z.string(), requestId: z.string() }) })
const accountsSchema = z.object({ accounts: z.record(z.string(), z.array(z.object({ id: z.string() }))) })
const postSchema = z.object({ status: z.string() })
const deliverySchema = z.object({ data: z.object({ runId: z.string() }) })
const liveSchema = z.array(z.object({ caption: z.string() }))

async function givenService(t: Test, environment: Record<string, string> = {}) {
  const home = await givenHome(t, { RATE_LIMIT_PER_MINUTE: '100000', RETRY_DELAYS: '1s,1s,2s,5s,5s', ...environment })
  const service = startProcess(home)
  t.teardown(async () => {
    service.child.kill('SIGKILL')
    await service.ended
    if (!t.passing()) t.comment(service.output())
  })
  await service.ready
  const made = await runCommand(home, ['keys', 'create', '--workspace', 'demo', '--scopes', 'all', '--json'])
  const { key } = z.object({ key: z.string() }).parse(JSON.parse(made.stdout))
  const call = (method: string, path: string, body?: object) =>
    fetch(`http://127.0.0.1:${home.port}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(40_000),
    })
  const { accounts } = accountsSchema.parse(await (await call('GET', '/accounts')).json())
  const account = accounts['x']?.[0]?.id ?? ''
  const post = (caption: string) =>
    call('POST', '/posts', {
      mediaUrl: `http://127.0.0.1:${home.sandboxPort}/media/sample.jpg`,
      mediaType: 'image',
      selections: { x: [account] },
      caption,
    })
  /** The posts whose publishing a new webhook has received. */
  const webhook = async (t: Test) => {
    const received = new Set<string>()
    const receiver = await httpServer(t, async (request, response) => {
      const { data } = deliverySchema.parse(JSON.parse(await bodyOf(request)))
      received.add(data.runId)
      response.writeHead(204).end()
    })
    const answer = await call('POST', '/webhooks', { url: receiver.url, events: ['post.published'] })
    t.equal(answer.status, 200, await answer.text())
    return received
  }
  const readiness = async () => (await fetch(`http://127.0.0.1:${home.port}/readyz`)).status
  return { home, call, post, webhook, readiness }
}

type Service = Awaited<ReturnType<typeof givenService>>

/** Posts until one is taken; returns the ids of all that were. */
async function acceptedAgain(t: Test, { post }: Service, caption: string): Promise<string> {
  return until('a post to be accepted again', 60_000, async () => {
    const response = await post(caption).catch(() => undefined)
    if (response?.status === 202) return z.object({ runId: z.string() }).parse(await response.json()).runId
    if (response) t.equal(errorSchema.parse(await response.json()).error.code, 'internal_error')
    return undefined
  })
}

async function publishedOnce(t: Test, { home, call }: Service, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await until(`${id} to be published`, 90_000, async () => {
      const response = await call('GET', `/posts/${id}`).catch(() => undefined)
      return response?.ok && postSchema.parse(await response.json()).status === 'published' ? true : undefined
    })
  }
  const captions = await liveCaptions(home)
  t.same([...new Set(captions)].length, captions.length, 'nothing is live twice')
}

async function liveCaptions(home: Home): Promise<readonly string[]> {
  const response = await fetch(`http://127.0.0.1:${home.sandboxPort}/_control/posts?platform=x`)
  return liveSchema.parse(await response.json()).map(({ caption }) => caption)
}

async function accepted(response: Promise<Response>): Promise<string> {
  return z.object({ runId: z.string() }).parse(await (await response).json()).runId
}

t.test(
  'given a database whose connections break, when the service starts, then it comes up once they hold',
  async (t) => {
    const { db } = await testDatabase(t)
    const url = new URL(connectionStringOf(db))
    // It migrates, lays out tables, looks where they stand, and reads the log to bring them up to date.
    const statements = ['fanfare_migrations', 'create table read.posts', 'from read.checkpoints', 'from log.events']
    const proxy = await cuttingProxy(t, { host: url.hostname, port: Number(url.port) }, statements)
    url.hostname = '127.0.0.1'
    url.port = String(proxy.port)
    const key = Buffer.alloc(32, 1).toString('base64')
    const serving = await givenServing(t, { DATABASE_URL: url.href, ENCRYPTION_KEY: key }, 'projections')
    t.match(serving.said(), /waiting for a server that cannot be reached/)
    t.same(proxy.left(), [], 'each of them was cut off')
  },
)

t.test('given the embedded database is killed under the service, then it comes back by itself', async (t) => {
  const service = await givenService(t)
  const ids = [await accepted(service.post('before'))]
  for (let round = 0; round < 3; round += 1) {
    // Accepted a moment before: its publishing is cut off anywhere.
    ids.push(await accepted(service.post(`cut off ${round}`)))
    await killPostgres(service.home.dataDir)
    ids.push(await acceptedAgain(t, service, `after ${round}`))
  }
  await until('readiness', 60_000, async () => ((await service.readiness()) === 200 ? true : undefined))
  await publishedOnce(t, service, ids)
})

t.test('given a stand-in of EventStoreDB holds the log and goes away, then work resumes when it is back', async (t) => {
  const store = await eventStoreDbStandIn()
  t.teardown(() => store.close())
  await goesAndComesBack(t, store)
})

t.test(
  'given the named stack, when EventStoreDB is killed, then work resumes when it is back',
  { skip: !(EVENTSTOREDB && hasNats()) && 'FANFARE_TEST_EVENTSTOREDB is not set, or nats-server is not in PATH' },
  async (t) => {
    const nats = await givenNatsServer(t)
    await goesAndComesBack(t, await givenEventStoreDb(t), { NATS_URL: nats.url })
  },
)

async function goesAndComesBack(
  t: Test,
  store: Omit<EventStoreDb, 'signal'>,
  environment: Record<string, string> = {},
): Promise<void> {
  const service = await givenService(t, {
    ...{ EVENTSTORE_URL: store.connectionString, OUTBOUND_ALLOW: '127.0.0.1' },
    ...environment,
  })
  const ids = [await accepted(service.post('before'))]
  const received = await service.webhook(t)
  ids.push(await accepted(service.post('cut off')))
  await store.stop()
  await until('readiness to turn red', 60_000, async () => ((await service.readiness()) === 503 ? true : undefined))
  const refused = await service.post('during')
  t.equal(refused.status, 500)
  t.equal(errorSchema.parse(await refused.json()).error.code, 'internal_error')
  await store.start()
  ids.push(await acceptedAgain(t, service, 'after'))
  await until('readiness', 60_000, async () => ((await service.readiness()) === 200 ? true : undefined))
  await publishedOnce(t, service, ids)
  await until('the webhook to receive each post', 90_000, async () =>
    ids.slice(1).every((id) => received.has(id)) ? true : undefined,
  )
}
