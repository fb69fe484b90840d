import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { startService } from '../app/wiring/service.ts'
import { finished } from '../commands/finish-post.ts'
import { handle, type CommandDeps, type Handled } from '../commands/handle.ts'
import type { Database } from '../infra/postgres/pool.ts'
import { webhookSecrets, type WebhookSecrets } from '../infra/postgres/webhook-secrets.ts'
import { delivery, deliveryId, type DeliveryEvent } from '../domain/webhook/delivery.ts'
import { eventOf, streamName, type NewEvent, type RecordedEvent } from '../domain/core/event.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { post, type PostState } from '../domain/post/post.ts'
import { bodyOf, PUBLIC_CATEGORIES, publicEvents, type PublicEvent } from '../domain/webhook/public-event.ts'
import { webhook, type WebhookEvent } from '../domain/webhook/webhook.ts'
import { NO_STREAM, START, type EventLog } from '../event-log/event-log.ts'
import { openCore, type Core } from '../app/wiring/core.ts'
import type { Http } from '../infra/http/http.ts'
import type { Lookup } from '../infra/http/outbound-address.ts'
import { outboundPolicy } from '../infra/http/outbound-guard.ts'
import { projections } from '../projections/models/index.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { deliverReactor } from '../reactors/webhooks/deliver.ts'
import { webhookHttp } from '../reactors/webhooks/deliver/webhook-http.ts'
import { dispatchDue } from '../reactors/runtime/dispatcher.ts'
import { FAN_OUT, fanOut } from '../reactors/webhooks/fan-out.ts'
import { createFollower } from '../reactors/runtime/follower.ts'
import { localSlots } from '../reactors/runtime/worker-slots.ts'
import { createLeases } from '../reactors/runtime/leases.ts'
import { poolSizes } from '../reactors/runtime/pools.ts'
import { webhookAddressCheck } from '../reactors/webhooks/webhook-address.ts'
import { work } from '../reactors/runtime/work.ts'
import { isoTime, systemClock } from '../infra/runtime/clock.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { readSettings } from '../infra/runtime/settings.ts'
import { connectionStringOf, givenApi } from './support/api.ts'
import { readUntilCaughtUp, until } from './support/event-log-helpers.ts'
import {
  answers,
  faultsOfAttempt,
  givenMisbehaving,
  givenWatched,
  grouped,
  hangs,
  MISBEHAVIOURS,
  ok,
  type Attempt,
  type Misbehaviour,
  type Watched,
} from './support/hostile-receivers.ts'
import { client } from './support/outbound-servers.ts'
import { emptyDatabase } from './support/postgres.ts'
import { ids } from './support/sandbox.ts'
import { corpus, dials, lookup, trap } from './support/ssrf-corpus.ts'
import { causedBy, givenProcess, givenWorld, LADDER_MS, vaultOf, type World } from './support/world.ts'

/*
 * What is promised of deliveries, held at once for many of them: to receivers of which one in five misbehaves, each in its
 * own way, and beside an endpoint that hangs with all that waits for it.
 */

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** Each workspace has 20 webhooks and 20 events. */
const WORKSPACES = Math.max(5, Math.ceil(Number(process.env['FANFARE_TEST_DELIVERIES'] ?? 0) / 400))
const PER_WORKSPACE = 20
/** Hands of one process: fewer than all receivers take at once, more than one takes of each. */
const SIZES = poolSizes(32)
const logger = createLogger('silent')
/** To one endpoint: three first attempts and one that is made again. */
const MOST_AT_ONCE = 4

interface Hook {
  readonly id: string
  readonly workspaceId: string
  readonly secret: string
}

/** As if it had been registered over the API. */
async function register(deps: CommandDeps, secrets: WebhookSecrets, workspaceId: string, url: string): Promise<Hook> {
  const id = resourceId('wh', ids.ulid())
  const secret = await secrets.create(workspaceId, id)
  const registered: WebhookEvent = { type: 'WebhookRegistered', data: { workspaceId, url, events: ['post.failed'] } }
  await handle(deps, webhook, id, causedBy(id), () => [registered])
  return { id, workspaceId, secret }
}

/** A post that has settled, told in letters of more bytes than one. */
function settle(deps: CommandDeps, workspaceId: string): Promise<Handled<PostState>> {
  const id = resourceId('post', ids.ulid())
  const content = { mediaUrl: 'https://media.example/a.jpg', mediaType: 'image', caption: '' } as const
  const error = `Zoë says „no“ \u2028 "${id}" 🎉 \\u0041`
  const events: readonly PostEvent[] = [
    {
      type: 'PostQueued',
      data: {
        ...content,
        captionOverrides: {},
        hashtags: [],
        workspaceId,
        origin: 'api',
        selections: { x: ['acc_1'] },
      },
    },
    { type: 'AccountPublishFailed', data: { platform: 'x', accountId: 'acc_1', attempt: 1, error, code: 'permanent' } },
  ]
  return handle(deps, post, id, causedBy(id), (state) => finished(state, events), { expectNew: true })
}

const newWorkspace = () => resourceId('ws', ids.ulid())
const indexes = (count: number) => Array.from({ length: count }, (_, index) => index)

/** One delivery that there must be, and how it must go. */
interface Owed extends Hook {
  readonly deliveryId: string
  readonly body: string
  readonly receiver: Watched
  readonly conduct: Misbehaviour
}

const WELL: Misbehaviour = { answer: ok, deliveredAfter: 1 }

/** Webhooks of which every fifth leads to a receiver that misbehaves, in all ways in turn. */
async function givenHooks(t: Test, world: World) {
  const conducts = Object.values(MISBEHAVIOURS)
  const secrets = webhookSecrets(vaultOf(world))
  let bad = 0
  const hooks = indexes(WORKSPACES).map(async () => {
    const workspaceId = newWorkspace()
    return Promise.all(
      indexes(PER_WORKSPACE).map(async (index) => {
        const conduct = (index % 5 === 4 ? conducts[bad++ % conducts.length] : undefined) ?? WELL
        const receiver = await givenMisbehaving(t, world.clock.now, conduct)
        return { ...(await register(world, secrets, workspaceId, receiver.url)), receiver, conduct }
      }),
    )
  })
  return (await Promise.all(hooks)).flat()
}

/** For each event of the log and each webhook of its workspace one. */
async function owedOf(log: EventLog, hooks: Awaited<ReturnType<typeof givenHooks>>): Promise<readonly Owed[]> {
  const told = (await readUntilCaughtUp(log, START, { categories: PUBLIC_CATEGORIES })).flatMap(publicEvents)
  return told.flatMap((event) => {
    const body = bodyOf(event)
    const wanting = hooks.filter(({ workspaceId }) => workspaceId === event.workspaceId)
    return wanting.map((hook) => ({ ...hook, body, deliveryId: deliveryId(event.id, hook.id) }))
  })
}

/** Worker processes that share the log, the agenda and one projector, and no clock but the world's. */
function workersOf(world: World, http: Http) {
  const { db, log, clock } = world
  const projector = createProjector({ ...world, projections, logger })
  const secrets = webhookSecrets(vaultOf(world))
  const deliver = deliverReactor({ log, clock, http, secrets, delaysMs: LADDER_MS, headerPrefix: 'X-Service' })
  const never = () => Promise.reject(new Error('nothing else is owed'))
  const others = {
    publish: never,
    schedule: never,
    pin: never,
    feed: never,
    recycle: never,
    comments: never,
    metrics: never,
    competitor: never,
    draft: never,
    send: never,
    video: never,
    refund: never,
    books: never,
    erase: never,
    retain: never,
    expiry: never,
    remove: never,
    media: never,
    notify: never,
  }
  const reactors = { ...others, deliver, redeliver: deliver }
  const { signal } = new AbortController()
  const leaseMs = 30 * SECOND
  let atWork = 0
  const workers = ['one', 'two'].map((owner) => {
    const leases = createLeases(db, { owner, leaseMs })
    const slots = localSlots(SIZES, (row) => {
      atWork += 1
      return work({ leases, reactors, clock, logger, leaseMs }, row, signal).finally(() => (atWork -= 1))
    })
    return { leases, slots, clock }
  })
  return {
    projector,
    /**
     * Does everything that is due now, once. When all that is at work waits for receivers that get no further, the clock
     * goes on until their time is up.
     */
    step: async (stalled: () => number): Promise<number> => {
      const given = await Promise.all(workers.map(dispatchDue))
      let done = false
      const ending = Promise.all(workers.map(({ slots }) => slots.idle())).then(() => (done = true))
      while (!done) {
        if (atWork > 0 && stalled() === atWork) await clock.advanceTo(clock.now() + 5 * SECOND)
        else await wait(1)
      }
      await ending
      await projector.catchUp()
      return given.reduce((sum, count) => sum + count, 0)
    },
  }
}

async function nextDue(db: Database): Promise<number | undefined> {
  const { rows } = await db.query<{ next: string | null }>(
    'select min(greatest(due_at, lease_until)) as next from read.agenda',
  )
  return rows[0]?.next ? Date.parse(rows[0].next) : undefined
}

/** What is wrong with a delivery, by the log and by what its receiver saw. */
function faultsOf(owed: Owed, recorded: readonly RecordedEvent[], attempts: readonly Attempt[]): readonly string[] {
  const { conduct, body } = owed
  const made = conduct.deliveredAfter ?? 1 + LADDER_MS.length
  const last = conduct.deliveredAfter === undefined ? 'DeliveryFailed' : 'DeliverySucceeded'
  const expected = ['DeliveryQueued', ...Array(made - 1).fill('DeliveryDeferred'), last]
  const types = recorded.map(({ type }) => type)
  const [queued] = recorded.map((each) => eventOf(delivery, each))
  const faults: string[] = []
  const must = (holds: boolean, what: string) => void (holds || faults.push(what))
  must(types.join() === expected.join(), `the log has ${types.join()}`)
  must(queued?.type === 'DeliveryQueued' && queued.data.body === body, 'another body was queued')
  const times = recorded.map(({ metadata }) => Date.parse(metadata.at))
  for (const [nth, step] of LADDER_MS.entries()) {
    const [failed = 0, next] = times.slice(nth + 1)
    must(next === undefined || next - failed >= step, `attempt ${nth + 2} came early`)
  }
  if (!conduct.answer) return faults

  must(attempts.length === made, `${attempts.length} attempts came`)
  for (const [nth, attempt] of attempts.entries()) {
    const [before, failed = 0] = [attempts[nth - 1], times[nth] ?? 0]
    must(!before || attempt.beganAt - failed >= (LADDER_MS[nth - 1] ?? 0), `attempt ${nth + 1} was made early`)
    must(!before || (before.endedAt ?? Infinity) <= attempt.beganAt, `attempt ${nth + 1} came during the one before`)
    const isTaken = attempt.status !== undefined && attempt.status >= 200 && attempt.status <= 299
    must(isTaken === (nth + 1 === conduct.deliveredAfter), `attempt ${nth + 1} was answered ${attempt.status}`)
    must(attempt.headers['x-service-event'] === 'post.failed', 'another event')
    faults.push(...faultsOfAttempt(attempt, owed))
  }
  return faults
}

t.test('given many receivers of which one in five misbehaves, when 33 hours pass', async (t) => {
  const world = await givenWorld(t)
  const { log, clock } = world
  const began = clock.now()
  const http = webhookHttp({ policy: outboundPolicy('127.0.0.1'), clock }, SIZES)
  t.teardown(() => http.close())
  const hooks = await givenHooks(t, world)
  const workspaces = [...new Set(hooks.map(({ workspaceId }) => workspaceId))]
  await Promise.all(workspaces.flatMap((id) => indexes(PER_WORKSPACE).map(() => settle(world, id))))

  const { projector, step } = workersOf(world, http)
  const seen = { waitFor: () => projector.catchUp().then(() => true) }
  await createFollower(FAN_OUT, () => fanOut({ ...world, seen }), { ...world, logger }).catchUp()
  await projector.catchUp()
  const stalled = () => hooks.reduce((sum, { receiver }) => sum + receiver.stalled(), 0)
  for (;;) {
    if ((await step(stalled)) > 0) continue
    const next = await nextDue(world.db)
    if (next === undefined) break
    // What comes due within a minute is taken together.
    await clock.advanceTo(Math.max(next, clock.now() + MINUTE))
  }

  const owed = await owedOf(log, hooks)
  const recorded = grouped(
    await readUntilCaughtUp(log, START, { categories: [delivery.category] }),
    ({ stream }) => stream,
  )
  const attempts = grouped(
    hooks.flatMap(({ receiver }) => receiver.attempts),
    ({ id }) => id,
  )
  const total = [...attempts.values()].flat().length
  t.comment(`${owed.length} deliveries to ${hooks.length} receivers, of which ${total} attempts were seen`)
  t.comment(`${((clock.now() - began) / (60 * MINUTE)).toFixed(1)} hours have passed`)

  await t.test('then there is one delivery for each event and webhook', async (t) => {
    t.equal(owed.length, WORKSPACES * PER_WORKSPACE ** 2)
    const streams = owed.map((each) => streamName(delivery, each.deliveryId))
    t.same(streams.toSorted(), [...recorded.keys()].toSorted())
    const known = new Set(owed.map((each) => each.deliveryId))
    t.same(
      [...attempts.keys()].filter((id) => !known.has(id)),
      [],
      'nothing else came',
    )
  })

  await t.test(
    'then each is delivered, or has failed after seven attempts, none early, all of them signed',
    async (t) => {
      const faults = owed.flatMap((each) => {
        const own = (recorded.get(streamName(delivery, each.deliveryId)) ?? []).filter(
          ({ type }) => type !== 'DeliveryStarted',
        )
        const came = attempts.get(each.deliveryId) ?? []
        return faultsOf(each, own, came).map((fault) => `${each.deliveryId}: ${fault}`)
      })
      t.same(faults.slice(0, 20), [], `${faults.length} faults`)
    },
  )

  await t.test('then no receiver had two attempts of a delivery at once, or more than four of all', async (t) => {
    t.same(
      hooks.flatMap(({ receiver }) => receiver.doubled),
      [],
    )
    t.same(
      hooks.map(({ receiver }) => receiver.mostAtOnce()).filter((most) => most > MOST_AT_ONCE),
      [],
    )
    t.ok(
      hooks.some(({ receiver }) => receiver.mostAtOnce() > 1),
      'though many came at the same time',
    )
  })
})

/** The service as it is put together for users, on a database of its own. */
async function givenCore(t: Test): Promise<Core> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-proof-'))
  const settings = readSettings({
    DATABASE_URL: await emptyDatabase(t),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    OUTBOUND_ALLOW: '127.0.0.1',
    DATA_DIR: dataDir,
  })
  const core = await openCore(settings, logger, () => undefined)
  t.teardown(async () => {
    await core.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return core
}

/** Deliveries straight into the log; with `failed` they have been tried once, and are due again. */
async function pileUp({ log, clock }: Core, hook: Hook, count: number, failed: boolean): Promise<void> {
  const [webhookId, at] = [hook.id, isoTime(clock.now() - 10 * MINUTE)]
  const failure = { attempt: 1, statusCode: 500, durationMs: 1, error: 'HTTP 500' }
  const append = (id: string) => {
    const content = { workspaceId: hook.workspaceId, webhookId, eventId: id, event: 'post.failed', body: '{}' } as const
    const events: readonly DeliveryEvent[] = [
      { type: 'DeliveryQueued', data: content },
      ...(failed ? [{ type: 'DeliveryDeferred', data: { ...failure, webhookId, nextAttemptAt: at } } as const] : []),
    ]
    const written = events.map((event, index): NewEvent => {
      const metadata = {
        at,
        actor: { kind: 'cli', id: 'test' },
        correlationId: id,
        causationId: `${id} ${index}`,
      } as const
      return { id: crypto.randomUUID(), ...event, metadata }
    })
    return log.append(streamName(delivery, id), written, NO_STREAM)
  }
  const names = indexes(count).map(() => resourceId('dlv', ids.ulid()))
  while (names.length > 0) await Promise.all(names.splice(0, 2_000).map(append))
}

interface Wait {
  /** When the event was written, and when it was first sent; ms since the epoch, `Infinity` when it was not. */
  readonly from: number
  readonly to: number
}

/** How the deliveries of these events to a webhook waited for their first attempts. */
function waitsOf(told: readonly PublicEvent[], { id }: Hook, { attempts }: Watched): readonly Wait[] {
  const first = new Map(attempts.toReversed().map((attempt) => [attempt.id, attempt.beganAt]))
  return told.map((event) => ({
    from: Date.parse(event.createdAt),
    to: first.get(deliveryId(event.id, id)) ?? Infinity,
  }))
}

const sorted = (all: readonly number[]) => all.toSorted((one, other) => one - other)
const percentile = (sorted: readonly number[], part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? Infinity

t.test('given an endpoint that hangs with 50,000 waiting, and one with thousands of retries due', async (t) => {
  const core = await givenCore(t)
  const { log, db, clock } = core
  const workspaceId = newWorkspace()
  const secrets = webhookSecrets(core.vault)
  const hooked = async (answer: Watched['answer']) => {
    const receiver = await givenWatched(t, systemClock.now, answer)
    return { receiver, hook: await register(core, secrets, workspaceId, receiver.url) }
  }
  const hanging = await hooked(hangs)
  const failing = await hooked((response) => void wait(5).then(() => answers(500)(response, 1)))
  const well = [await hooked(ok), await hooked(ok)]
  await pileUp(core, hanging.hook, 50_000, false)
  await pileUp(core, hanging.hook, 100, true)
  await pileUp(core, failing.hook, 3_000, true)
  await core.projector.catchUp()

  const service = await startService(core, ['projections', 'reactors'])
  t.teardown(() => service.stop())
  await until('the hanging endpoint to have its hands full', () => hanging.receiver.stalled() === MOST_AT_ONCE)
  const { position: before = START } = await settle(core, newWorkspace())
  const events = 150
  for (let told = 0; told < events; told += 1) {
    await settle(core, workspaceId)
    await wait(60)
  }
  const told = (await readUntilCaughtUp(log, before, { categories: PUBLIC_CATEGORIES })).flatMap(publicEvents)
  const fresh = [...well, failing]
  const waits = () => fresh.map(({ hook, receiver }) => waitsOf(told, hook, receiver))
  await until('all to have been tried', () => waits().every((all) => all.every(({ to }) => to < Infinity)))

  await t.test('then what is fresh is tried before what waits, also at the one with the retries', (t) => {
    const isFresh = new Set(told.map((event) => deliveryId(event.id, failing.hook.id)))
    // Not by the clock: a machine that stands still for two seconds sends nothing else in them either.
    const retries = failing.receiver.attempts.filter(({ id }) => !isFresh.has(id)).map(({ beganAt }) => beganAt)
    for (const [index, all] of waits().entries()) {
      const ms = sorted(all.map(({ from, to }) => to - from))
      const before = sorted(all.map(({ from, to }) => retries.filter((at) => from < at && at < to).length))
      t.comment(
        `endpoint ${index}: p50 ${percentile(ms, 0.5)} ms, p99 ${percentile(ms, 0.99)} ms, longest ${ms.at(-1)} ms`,
      )
      t.equal(all.length, events)
      t.ok(percentile(before, 0.99) < 100, `${percentile(before, 0.99)} of ${retries.length} retries were made before`)
    }
    t.end()
  })

  await t.test('then no receiver got more than four at once, and waiting deliveries still wait', async (t) => {
    t.equal(hanging.receiver.mostAtOnce(), MOST_AT_ONCE)
    for (const { receiver } of fresh) t.ok(receiver.mostAtOnce() <= MOST_AT_ONCE, `${receiver.mostAtOnce()}`)
    const due = async ({ id }: Hook, attempts: number) => {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::int as count from read.deliveries
         where webhook_id = $1 and attempts = $2 and status = 'pending' and next_attempt_at <= $3`,
        [id, attempts, isoTime(clock.now())],
      )
      return rows[0]?.count ?? 0
    }
    const waiting = await due(hanging.hook, 0)
    t.ok(waiting > 49_000, `${waiting} wait for the one that hangs`)
    const retries = await due(failing.hook, 1)
    t.ok(retries > 1_000 && retries < 3_000, `${retries} retries are still due, some were made meanwhile`)
  })
  hanging.receiver.answer = ok
})

t.test('given addresses that lead inside', async (t) => {
  const inside = await trap(t)

  await t.test('when a webhook is registered for them, then it is refused, and no socket opened', async (t) => {
    const policy = outboundPolicy('')
    const refuseAddress = webhookAddressCheck({ policy, clock: systemClock, lookup })
    const { call, key, world } = await givenApi(t, { services: { refuseAddress } }).then(async (api) => ({
      ...api,
      key: await api.key(),
    }))
    const urls = corpus(inside.port)
    const dialled = dials(t, Number(new URL(connectionStringOf(world.db)).port))
    const taken: string[] = []
    for (const url of urls) {
      const answer = await call({ method: 'POST', path: '/v1/webhooks', key, body: { url, events: ['post.failed'] } })
      if (answer.status !== 400 || answer.code !== 'invalid_request') taken.push(url)
    }
    t.ok(urls.length >= 120, `${urls.length} URLs`)
    t.same(taken, [])
    t.equal(dialled(), 0, 'sockets dialled')
    t.equal(inside.connections(), 0)
    t.same((await call({ path: '/v1/webhooks', key })).body['webhooks'], [])
    const { rows } = await world.db.query(`select 1 from service.secrets where id like 'wh_%'`)
    t.same(rows, [], 'and no secret was made')
  })

  await t.test('when a name leads inside only later, then the attempt is refused, and says so', async (t) => {
    const turns = ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '0.0.0.0']
    const asked = new Set<string>()
    const flipping: Lookup = async (name) => {
      const turned = turns[Number(name.split('.')[1])] ?? ''
      const isFirst = !asked.has(name)
      asked.add(name)
      const found = isFirst ? ['93.184.216.34'] : name.startsWith('mixed') ? ['93.184.216.34', turned] : [turned]
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    }
    const guard = { policy: outboundPolicy(''), clock: systemClock, lookup: flipping }
    const { call, key, world } = await givenApi(t, { services: { refuseAddress: webhookAddressCheck(guard) } }).then(
      async (api) => ({ ...api, key: await api.key() }),
    )
    const service = await givenProcess(world, { http: client(t, guard) })
    const names = turns.flatMap((_, index) => [`only.${index}.test`, `mixed.${index}.test`])
    const hooks = new Map<string, string>()
    for (const name of names) {
      const body = { url: `http://${name}:${inside.port}/`, events: ['post.failed'] }
      const answer = await call({ method: 'POST', path: '/v1/webhooks', key, body })
      t.equal(answer.status, 200, name)
      hooks.set(name, String(answer.body['id']))
    }
    await settle(world, world.workspaceId)
    const dialled = dials(t, Number(new URL(connectionStringOf(world.db)).port))
    await service.step()
    const shown = z.object({ status: z.string(), attempts: z.number(), lastError: z.string().nullable() })
    for (const [name, id] of hooks) {
      const { body } = await call({ path: `/v1/webhooks/${id}/deliveries`, key })
      const lastError = `Refused by the outbound guard: ${name} is not public`
      t.same(z.array(shown).parse(body['deliveries']), [{ status: 'pending', attempts: 1, lastError }], name)
    }
    t.equal(dialled(), 0, 'sockets dialled')
    t.equal(inside.connections(), 0)
  })
})
