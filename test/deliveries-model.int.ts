import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import fc from 'fast-check'
import { cancelDelivery, queueDelivery, recordAttempt, requestResend } from '../commands/delivery.ts'
import { handle, load } from '../commands/handle.ts'
import {
  delivery,
  isQueued,
  type DeliveryEvent,
  type DeliveryState,
  type LiveDelivery,
} from '../domain/webhook/delivery.ts'
import { webhook, type WebhookEvent, type WebhookState } from '../domain/webhook/webhook.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { HttpFailure, type Http, type HttpStream } from '../infra/http/http.ts'
import { agenda, type AgendaRow } from '../projections/agenda/agenda.ts'
import { deliverReactor } from '../reactors/webhooks/deliver.ts'
import { dyingLog } from './support/dying-log.ts'
import { memoryAgenda } from './support/memory-agenda.ts'
import { memoryLog, memoryLogData } from './support/memory-log.ts'
import { virtualClock } from './support/virtual-clock.ts'
import { causedBy, LADDER_MS } from './support/world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const content = { workspaceId: 'ws_1', webhookId: 'wh_1', eventId: 'evt_1', event: 'post.failed', body: '{}' } as const

type Put =
  | { readonly act: 'attempt'; readonly ok: boolean; readonly retryAfterMs: number; readonly tookMs: number }
  /** By a worker that began some steps ago. */
  | { readonly act: 'late'; readonly ok: boolean; readonly steps: number }
  | { readonly act: 'resend' }
  | { readonly act: 'cancel' }

const puts: fc.Arbitrary<Put> = fc.oneof(
  {
    arbitrary: fc.record({
      act: fc.constant('attempt' as const),
      ok: fc.nat(9).map((n) => n === 0),
      retryAfterMs: fc.oneof(fc.constant(0), fc.nat(48 * HOUR)),
      tookMs: fc.nat(15 * SECOND),
    }),
    weight: 30,
  },
  {
    arbitrary: fc.record({
      act: fc.constant('late' as const),
      ok: fc.boolean(),
      steps: fc.integer({ min: 1, max: 5 }),
    }),
    weight: 5,
  },
  { arbitrary: fc.constant({ act: 'resend' as const }), weight: 3 },
  { arbitrary: fc.constant({ act: 'cancel' as const }), weight: 1 },
)

t.test('given any outcomes in any order, when they are recorded, then the spec and the agenda hold', async () => {
  const id = 'dlv_1'
  const content = {
    workspaceId: 'ws_1',
    webhookId: 'wh_1',
    eventId: 'evt_1',
    event: 'post.failed',
    body: '{}',
  } as const
  let ladders = 0
  fc.assert(
    fc.property(fc.array(puts, { minLength: 20, maxLength: 60, size: 'max' }), (steps) => {
      let state: DeliveryState = delivery.initial
      let now = Date.UTC(2026, 0, 1)
      let revision = 0
      const rows = new Map<string, AgendaRow>()
      const put = (events: readonly DeliveryEvent[]): void => {
        for (const { type, data } of events) {
          const at = new Date(now).toISOString()
          const metadata = { at, actor: { kind: 'cli', id: 'test' }, correlationId: id, causationId: id } as const
          const event = { id: `${revision}`, type, data, metadata, stream: `delivery-${id}`, revision, position: 0n }
          state = delivery.evolve(state, { type, data } as DeliveryEvent, metadata)
          for (const rowId of agenda.rowIds(event)) {
            const row = agenda.apply(rows.get(rowId), event, rowId)
            if (row) rows.set(rowId, row)
            else rows.delete(rowId)
          }
          revision += 1
        }
      }
      const live = (): LiveDelivery => {
        if (!isQueued(state)) throw new Error('it is gone')
        return state
      }
      const check = (holds: boolean, what: string): void => {
        if (!holds) throw new Error(`${what}: ${JSON.stringify(state)}`)
      }
      put(queueDelivery(state, content))
      const past: LiveDelivery[] = [live()]
      for (const one of steps) {
        const before = live()
        const wasPending = before.status === 'pending'
        switch (one.act) {
          case 'attempt': {
            if (!wasPending) break
            now = Math.max(now, Date.parse(before.dueAt)) + one.tookMs
            const common = { statusCode: one.ok ? 204 : 503, durationMs: one.tookMs }
            const failure = { ...common, ok: false, error: 'HTTP 503', retryAfterMs: one.retryAfterMs } as const
            const result = one.ok ? ({ ...common, ok: true } as const) : failure
            put(recordAttempt(state, { id, begun: before }, result, LADDER_MS, now))
            const after = live()
            check(after.attempts === before.attempts + 1, 'each attempt counts')
            const pause = LADDER_MS[before.tries]
            if (one.ok) check(after.status === 'delivered', '2xx is delivered')
            else if (pause === undefined) {
              ladders += 1
              check(after.status === 'failed' && after.tries === 7, 'the seventh is the last')
            } else {
              const asked = Math.max(pause, Math.min(one.retryAfterMs, LADDER_MS[before.tries + 1] ?? pause))
              const waits = Date.parse(after.dueAt) - now
              check(after.status === 'pending' && waits >= asked && waits <= asked * 1.05, `after ${pause} ms`)
            }
            break
          }
          case 'late': {
            const begun = past.at(-1 - one.steps)
            if (!begun || begun === before) break
            const failure = { ok: false, statusCode: null, durationMs: 1, error: 'late' } as const
            const result = one.ok ? ({ ok: true, statusCode: 200, durationMs: 1 } as const) : failure
            const isStill = wasPending && begun.attempts === before.attempts && begun.dueAt === before.dueAt
            if (one.ok) {
              put(recordAttempt(state, { id, begun }, result, LADDER_MS, now))
              check(
                live().status === (wasPending ? 'delivered' : before.status),
                'a success is one while it is pending',
              )
              check(live().attempts === before.attempts + (wasPending ? 1 : 0), 'and counts as one attempt more')
            } else if (!isStill) {
              check(recordAttempt(state, { id, begun }, result, LADDER_MS, now).length === 0, 'too late')
            }
            break
          }
          case 'resend': {
            if (before.status === 'cancelled') break
            put(requestResend(state))
            check(live().status === 'pending' && live().tries === 0, 'all its tries are to come')
            check(live().attempts === before.attempts, 'a wish is no attempt')
            break
          }
          case 'cancel':
            put(cancelDelivery(state))
            check(live().status === (wasPending ? 'cancelled' : before.status), 'only what is pending is cancelled')
        }
        past.push(live())
        const { status: is, tries, dueAt } = live()
        const due = [...rows.values()].map(({ lane, dueAt: due_at }) => `${lane} ${due_at}`).join()
        const lane = tries === 0 ? 'deliver/wh_1' : 'redeliver/wh_1'
        check(due === (is === 'pending' ? `${lane} ${dueAt}` : ''), `the agenda owes what is pending, not ${due}`)
      }
    }),
    { numRuns: 500 },
  )
  if (ladders < 50) throw new Error(`only ${ladders} came to the end of their ladder`)
})

type Act =
  | { readonly act: 'work'; readonly workers: number; readonly stale: boolean }
  | { readonly act: 'die'; readonly nth: number; readonly moment: 'before' | 'after' }
  | { readonly act: 'pass'; readonly ms: number }
  | { readonly act: 'answer'; readonly code: number }
  | { readonly act: 'resend'; readonly id: string }
  | { readonly act: 'remove' }

const DELIVERIES = ['dlv_0', 'dlv_1']
const of = <T>(arbitrary: fc.Arbitrary<T>, weight: number) => ({ arbitrary, weight })
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    of(
      fc.record({ act: fc.constant('work' as const), workers: fc.integer({ min: 1, max: 3 }), stale: fc.boolean() }),
      8,
    ),
    of(
      fc.record({
        act: fc.constant('die' as const),
        nth: fc.nat(1),
        moment: fc.constantFrom('before' as const, 'after' as const),
      }),
      4,
    ),
    of(
      fc.record({
        act: fc.constant('pass' as const),
        ms: fc.oneof(fc.nat(2 * MINUTE), fc.nat(26 * HOUR)),
      }),
      8,
    ),
    of(fc.record({ act: fc.constant('answer' as const), code: fc.constantFrom(500, 500, 500, 200) }), 2),
    of(fc.record({ act: fc.constant('resend' as const), id: fc.constantFrom(...DELIVERIES) }), 1),
    of(fc.constant({ act: 'remove' as const }), 1),
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
)

/** The real decisions, the real agenda and the real reactor, in memory. */
async function givenService() {
  const clock = virtualClock()
  const data = memoryLogData()
  const log = memoryLog(data)
  const arrived: { readonly id: string; readonly body: unknown; readonly wasOwed: boolean }[] = []
  const owed = memoryAgenda(data)
  let token = 0
  let code = 500
  let isRemoved = false
  const stateOf = async (id: string): Promise<LiveDelivery> => {
    const state = await load(log, delivery, id)
    if (!isQueued(state)) throw new Error('it is gone')
    return state
  }
  const http: Http = {
    stream: async (url, { headers = {}, body } = {}) => {
      const id = headers['webhook-id'] ?? ''
      const { status, dueAt } = await stateOf(id)
      arrived.push({ id, body, wasOwed: !isRemoved && status === 'pending' && Date.parse(dueAt) <= clock.now() })
      return { status: code, headers: {}, body: Readable.from([]), url }
    },
    request: () => Promise.reject(new Error('not used')),
    close: async () => undefined,
  }
  const secrets = { signing: async () => ['whsec_AAAA'], remove: async () => undefined }
  const run = async (by: EventLog, workers: number) => {
    const due = [...owed.rows.values()].filter(({ dueAt: due_at }) => Date.parse(due_at) <= clock.now())
    const reactor = deliverReactor({ log: by, clock, http, secrets, delaysMs: LADDER_MS, headerPrefix: 'X-Service' })
    let next = 0
    for (const row of due) {
      const tries = Array.from({ length: workers }, () =>
        reactor({ ...row, token: `t${(token += 1)}` }, new AbortController().signal),
      )
      for (const done of await Promise.allSettled(tries)) {
        if (done.status === 'fulfilled' && done.value.kind === 'park') next = Math.max(next, done.value.until)
      }
    }
    return next
  }
  const registered = { workspaceId: 'ws_1', url: 'https://one.test/', events: [] }
  const decideHook = (name: string, decision: (state: WebhookState) => readonly WebhookEvent[]) =>
    handle({ log, clock }, webhook, 'wh_1', causedBy(name), decision)
  await decideHook('registered', () => [{ type: 'WebhookRegistered', data: registered }])
  for (const id of DELIVERIES) {
    await handle({ log, clock }, delivery, id, causedBy(id), (state) => queueDelivery(state, content))
  }
  owed.catchUp()
  return {
    ...{ clock, log, arrived, stateOf },
    answer: (next: number) => (code = next),
    /** @param stale by rows that were read before the last acts */
    work: async (workers: number, stale: boolean) => {
      if (!stale) owed.catchUp()
      await run(log, workers)
      owed.catchUp()
    },
    die: async (nth: number, moment: 'before' | 'after') => {
      owed.catchUp()
      await run(dyingLog(log, nth, moment), 1)
    },
    resend: (id: string) =>
      handle({ log, clock }, delivery, id, causedBy(`resend ${(token += 1)}`), (state) =>
        isQueued(state) && state.status !== 'cancelled' ? requestResend(state) : [],
      ),
    remove: async () => {
      isRemoved = true
      await decideHook('deleted', ({ status }) => (status === 'active' ? [{ type: 'WebhookDeleted', data: {} }] : []))
    },
    drain: async () => {
      for (;;) {
        owed.catchUp()
        const [next] = [...owed.rows.values()].map(({ dueAt: due_at }) => Date.parse(due_at)).sort((a, b) => a - b)
        if (next === undefined) return
        await clock.advanceTo(next)
        await clock.advanceTo(await run(log, 1))
      }
    },
  }
}

t.test('given workers that race, die and work by old rows, when all is done, then no delivery is left', async (t) => {
  let died = 0
  await fc.assert(
    fc.asyncProperty(acts, async (steps) => {
      const service = await givenService()
      const check = (holds: boolean, what: string): void => {
        if (!holds) throw new Error(`${what}: ${JSON.stringify(service.arrived)}`)
      }
      let isRemoved = false
      for (const step of steps) {
        switch (step.act) {
          case 'work':
            await service.work(step.workers, step.stale)
            break
          case 'die':
            await service.die(step.nth, step.moment)
            died += 1
            break
          case 'pass':
            await service.clock.advanceTo(service.clock.now() + step.ms)
            break
          case 'answer':
            service.answer(step.code)
            break
          case 'resend':
            await service.resend(step.id)
            break
          case 'remove':
            isRemoved = true
            await service.remove()
        }
      }
      await service.drain()
      for (const { wasOwed, body } of service.arrived) {
        check(wasOwed, 'nothing is sent that is not due, or to who was deleted')
        check(body === content.body, 'the same bytes')
      }
      for (const id of DELIVERIES) {
        const { status, tries, attempts } = await service.stateOf(id)
        if (status === 'failed') check(tries === LADDER_MS.length + 1, `${id} failed after ${tries} tries`)
        check(
          status === 'delivered' || status === 'failed' || (isRemoved && status === 'cancelled'),
          `${id} is ${status}`,
        )
        const came = service.arrived.filter((one) => one.id === id).length
        check(came >= attempts, `${id}: ${attempts} attempts, ${came} came`)
        const numbers = (await service.log.read(`delivery-${id}`)).flatMap(({ type, data }) =>
          'attempt' in data && type !== 'DeliveryStarted' ? [data.attempt] : [],
        )
        check(numbers.join() === numbers.map((_, index) => index + 1).join(), `${id}: ${numbers.join()}`)
      }
    }),
    { numRuns: 200 },
  )
  t.ok(died > 200, `${died} deaths`)
})

type Move =
  /** By the agenda as it is, or as it was. */
  | { readonly act: 'take'; readonly stale: boolean }
  | { readonly act: 'answer'; readonly code: number }
  | { readonly act: 'resend' | 'die' }
  | { readonly act: 'pass'; readonly ms: number }

const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    of(fc.record({ act: fc.constant('take' as const), stale: fc.boolean() }), 8),
    of(fc.record({ act: fc.constant('answer' as const), code: fc.constantFrom(500, 500, 500, 200) }), 4),
    of(fc.constant({ act: 'resend' as const }), 4),
    of(fc.constant({ act: 'die' as const }), 1),
    of(fc.record({ act: fc.constant('pass' as const), ms: fc.oneof(fc.nat(20 * SECOND), fc.nat(10 * MINUTE)) }), 6),
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
)

/** One delivery, whose receiver takes its time. A row is leased until it ends or an event writes it again, as the agenda's are. */
async function givenSlowReceiver() {
  const clock = virtualClock()
  const data = memoryLogData()
  const log = memoryLog(data)
  const owed = memoryAgenda(data)
  const open = new Set<(code: number) => void>()
  const leased = new Map<AgendaRow, AbortController>()
  const parked = new Map<AgendaRow, number>()
  let [most, calls, token] = [0, 0, 0]
  const stream: Http['stream'] = (url, { signal } = {}) =>
    new Promise<HttpStream>((resolve, reject) => {
      const answer = (code: number) => {
        open.delete(answer)
        resolve({ status: code, headers: {}, body: Readable.from([]), url })
      }
      const fail = (kind: 'timeout' | 'aborted') => {
        open.delete(answer)
        reject(new HttpFailure(kind, kind, true))
      }
      if (signal?.aborted) return fail('aborted')
      calls += 1
      most = Math.max(most, open.add(answer).size)
      signal?.addEventListener('abort', () => fail('aborted'))
      void clock.sleep(15 * SECOND).then(() => fail('timeout'))
    })
  const http: Http = { stream, request: () => Promise.reject(new Error('not used')), close: async () => undefined }
  const secrets = { signing: async () => ['whsec_AAAA'], remove: async () => undefined }
  const reactor = deliverReactor({ log, clock, http, secrets, delaysMs: LADDER_MS, headerPrefix: 'X-Service' })
  const settle = async () => {
    for (let turns = 0; turns < 5; turns += 1) await turn()
  }
  const freeAt = (row: AgendaRow) => Math.max(Date.parse(row.dueAt), parked.get(row) ?? 0)
  const take = async (row: AgendaRow) => {
    const dying = new AbortController()
    leased.set(row, dying)
    const done = await reactor({ ...row, token: `t${(token += 1)}` }, dying.signal).catch(() => undefined)
    if (leased.get(row) !== dying) return
    leased.delete(row)
    if (done) parked.set(row, done.kind === 'park' ? done.until : clock.now() + MINUTE)
  }
  const registered: WebhookEvent = {
    type: 'WebhookRegistered',
    data: { workspaceId: 'ws_1', url: 'https://one.test/', events: [] },
  }
  await handle({ log, clock }, webhook, 'wh_1', causedBy('registered'), () => [registered])
  await handle({ log, clock }, delivery, 'dlv_1', causedBy('queued'), (state) => queueDelivery(state, content))
  return {
    clock,
    stateOf: () => load(log, delivery, 'dlv_1'),
    seen: () => ({ most, calls }),
    take: async (stale: boolean) => {
      if (!stale) owed.catchUp()
      for (const row of owed.rows.values()) if (!leased.has(row) && freeAt(row) <= clock.now()) void take(row)
      await settle()
    },
    answer: async (code: number) => {
      for (const answer of open) answer(code)
      await settle()
    },
    resend: () => handle({ log, clock }, delivery, 'dlv_1', causedBy(`resend ${(token += 1)}`), requestResend),
    /** Its leases are given back by the next process of its node. */
    die: async () => {
      leased.forEach((dying) => dying.abort())
      leased.clear()
      await settle()
    },
    /** When the next row may be taken; undefined when nothing is owed. */
    next: () => {
      owed.catchUp()
      const times = [...owed.rows.values()].map(freeAt)
      return times.length === 0 ? undefined : Math.min(...times)
    },
  }
}

t.test(
  'given a slow receiver, whatever is asked for again meanwhile, then it never has two attempts at once',
  async (t) => {
    let [overlaps, calls] = [0, 0]
    await fc.assert(
      fc.asyncProperty(moves, async (steps) => {
        const scene = await givenSlowReceiver()
        for (const step of steps) {
          if (step.act === 'take') await scene.take(step.stale)
          else if (step.act === 'answer') await scene.answer(step.code)
          else if (step.act === 'die') await scene.die()
          else if (step.act === 'pass') await scene.clock.advanceTo(scene.clock.now() + step.ms)
          else {
            const before = await scene.stateOf()
            await scene.resend()
            if (isQueued(before) && before.startedAt !== undefined) overlaps += 1
          }
        }
        for (let next = scene.next(); next !== undefined; next = scene.next()) {
          await scene.clock.advanceTo(next)
          await scene.take(false)
          await scene.answer(200)
        }
        const { most } = scene.seen()
        calls += scene.seen().calls
        if (most > 1) throw new Error(`${most} at once`)
        const { status } = await scene.stateOf()
        if (status !== 'delivered' && status !== 'failed') throw new Error(`it is ${status}`)
      }),
      { numRuns: 200 },
    )
    t.comment(`${calls} attempts, ${overlaps} wishes during one`)
    t.ok(overlaps > 50, `${overlaps} wishes while an attempt was under way`)
  },
)
