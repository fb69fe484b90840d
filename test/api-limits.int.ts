import t from 'tap'
import { sweepRateWindows } from '../api/http/rate-limit.ts'
import { givenApi, type ApiWorld, type Call } from './support/api.ts'
import type { Answer } from './support/api-answer.ts'
import { movableClock } from './support/movable-clock.ts'

const MINUTE = 60_000
/** Ten seconds into a minute. */
const START = Date.UTC(2026, 0, 15, 12, 0, 10)
const MIDNIGHT = Date.UTC(2026, 0, 16)

const givenLimits = (t: Parameters<typeof givenApi>[0], perMinute: number, perDay: number, standingAt = START) =>
  givenApi(t, { limits: { perMinute, perDay, workspaceFactor: 3 }, clock: movableClock({ standingAt }) })

const shown = ({ status, headers }: Answer) => ({
  status,
  limit: Number(headers['x-ratelimit-limit']),
  remaining: Number(headers['x-ratelimit-remaining']),
  reset: Number(headers['x-ratelimit-reset']) * 1000,
  wait: headers['retry-after'] === undefined ? undefined : Number(headers['retry-after']),
})

const accounts = (key: string): Call => ({ path: '/v1/accounts', key })

async function counted({ world }: ApiWorld): Promise<{ minute: number; day: number }> {
  const { rows } = await world.db.query<{ minute: number; day: number }>(
    `select minute_count as minute, day_count as day from service.rate_windows where subject like 'key_%'`,
  )
  return rows[0] ?? { minute: 0, day: 0 }
}

t.test('given four servers and a limit of 60, when 200 requests come at once', async (t) => {
  const api = await givenLimits(t, 60, 5_000)
  const servers = [api, await api.server(), await api.server(), await api.server()]
  const key = await api.key()
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => servers[i % 4]!.call(accounts(key)).then(shown)),
  )
  const passed = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 429)

  t.equal(passed.length, 60, 'then 60 pass')
  t.equal(refused.length, 140, 'and 140 are refused with a time to wait')
  const remaining = passed.map((answer) => answer.remaining).sort((a, b) => b - a)
  t.same(
    remaining,
    Array.from({ length: 60 }, (_, i) => 59 - i),
    'each that passes is shown another remainder',
  )
  const end = START - 10_000 + MINUTE
  t.ok(answers.every(({ limit, reset }) => limit === 60 && reset === end))
  t.ok(refused.every(({ remaining, wait }) => remaining === 0 && wait === 50))
  t.same(await counted(api), { minute: 60, day: 60 }, 'and what was refused has burnt nothing')
})

t.test('given a limit of 10 a minute and 25 a day', async (t) => {
  const api = await givenLimits(t, 10, 25)
  const key = await api.key()
  const { clock } = api.world
  const ask = async () => shown(await api.call(accounts(key)))
  const times = async (count: number) => {
    for (let i = 0; i < count; i += 1) t.equal((await ask()).status, 200)
  }
  const minute = (n: number) => START - 10_000 + n * MINUTE

  await t.test('when there is less left in the minute, then the minute is shown', async (t) => {
    t.same(await ask(), { status: 200, limit: 10, remaining: 9, reset: minute(1), wait: undefined })
    await times(9)
    t.same(await ask(), { status: 429, limit: 10, remaining: 0, reset: minute(1), wait: 50 })
  })

  await t.test('when the minute is over, then a new one begins, to the second', async (t) => {
    await clock.advanceTo(minute(1) - 1)
    t.match(await ask(), { status: 429, wait: 1 })
    await clock.advanceTo(minute(1))
    t.same(await ask(), { status: 200, limit: 10, remaining: 9, reset: minute(2), wait: undefined })
    await times(9)
  })

  await t.test('when there is less left in the day, then the day is shown', async (t) => {
    await clock.advanceTo(minute(2))
    t.same(await ask(), { status: 200, limit: 25, remaining: 4, reset: MIDNIGHT, wait: undefined })
    await times(4)
    t.same(await ask(), { status: 429, limit: 25, remaining: 0, reset: MIDNIGHT, wait: (MIDNIGHT - minute(2)) / 1000 })
    t.same(await counted(api), { minute: 5, day: 25 }, 'refused by the day, the minute is not used either')
    await clock.advanceTo(minute(30))
    t.match(await ask(), { status: 429, limit: 25 })
  })

  await t.test('when the server restarts, then it continues counting', async (t) => {
    const restarted = await api.server()
    t.match(shown(await restarted.call(accounts(key))), { status: 429, limit: 25, remaining: 0, reset: MIDNIGHT })
  })

  await t.test('when the limits were lowered meanwhile, then nothing is left, not less', async (t) => {
    const stricter = await api.server({ limits: { perMinute: 5, perDay: 20 } })
    t.match(shown(await stricter.call(accounts(key))), { status: 429, limit: 20, remaining: 0 })
  })

  await t.test('when the UTC day is over, then a new one begins', async (t) => {
    await clock.advanceTo(MIDNIGHT - 1)
    t.match(await ask(), { status: 429, wait: 1 })
    await clock.advanceTo(MIDNIGHT)
    t.same(await ask(), { status: 200, limit: 10, remaining: 9, reset: MIDNIGHT + MINUTE, wait: undefined })
    t.same(await counted(api), { minute: 1, day: 1 })
  })

  await t.test('when the windows of yesterday are swept, then those of today stay', async (t) => {
    await sweepRateWindows(api.world.db, clock.now())
    t.same(await counted(api), { minute: 1, day: 1 })
    await sweepRateWindows(api.world.db, MIDNIGHT + 86_400_000)
    t.same(await counted(api), { minute: 0, day: 0 })
  })
})

t.test('given a minute and a day that end at the same request', async (t) => {
  const api = await givenLimits(t, 3, 3)
  const key = await api.key()
  for (let i = 0; i < 3; i += 1) await api.call(accounts(key))
  const answer = shown(await api.call(accounts(key)))
  t.match(
    answer,
    { status: 429, remaining: 0, reset: MIDNIGHT, wait: (MIDNIGHT - START) / 1000 },
    'then the day is waited for',
  )
})

t.test('given callers without a key', async (t) => {
  const api = await givenLimits(t, 5, 1_000)
  const key = await api.key()
  const exhaust = async (from: string) => {
    const calls: readonly Call[] = [
      { path: '/v1/accounts' },
      { path: '/v1/accounts', key: 'nonsense' },
      { path: '/v1/nothing', key },
      { path: '/v1/accounts', method: 'PUT', key },
      { path: '/v1/posts/%ZZ', key },
    ]
    const answers = []
    for (const call of calls) answers.push((await api.call({ ...call, from })).status)
    t.same(answers, [401, 401, 404, 405, 400], `${from} learns what is wrong`)
    for (const call of calls) t.equal((await api.call({ ...call, from })).status, 429, `${from} is over its limit`)
  }
  const status = async (from: string) => (await api.call({ path: '/v1/accounts', from })).status

  await t.test('when an address is over its limit, then others are not, nor is a good key from it', async (t) => {
    await exhaust('192.0.2.1')
    t.equal(await status('192.0.2.2'), 401)
    t.match(shown(await api.call({ ...accounts(key), from: '192.0.2.1' })), { status: 200, remaining: 4 })
    t.equal(await status('::ffff:192.0.2.1'), 429, 'it is the same address in IPv6 dress')
  })

  await t.test('when an IPv6 address is over its limit, then so is its /64', async (t) => {
    await exhaust('2001:db8::1')
    for (const from of ['2001:db8::2', '2001:db8:0:0:ffff::', '2001:0db8:0000:0000:1:2:3:4'])
      t.equal(await status(from), 429, from)
    for (const from of ['2001:db8:0:1::1', '2001:db9::1', '::1']) t.equal(await status(from), 401, from)
  })

  await t.test('when X-Forwarded-For names others, then it is not believed', async (t) => {
    const lie = { 'x-forwarded-for': '198.51.100.7' }
    t.equal((await api.call({ path: '/v1/accounts', from: '192.0.2.1', headers: lie })).status, 429)
  })

  await t.test('when a proxy is trusted, then its word counts, not what the client wrote before it', async (t) => {
    const proxied = await api.server({ trustProxy: true })
    const via = async (forwarded: string) =>
      (await proxied.call({ path: '/v1/accounts', from: '10.0.0.1', headers: { 'x-forwarded-for': forwarded } })).status
    for (let i = 0; i < 5; i += 1) t.equal(await via(`203.0.113.${i}, 198.51.100.9`), 401)
    t.equal(await via('203.0.113.77, 198.51.100.9'), 429)
    t.equal(await via('198.51.100.9:4711'), 429, 'whatever port it comes from')
    t.equal(await via('198.51.100.10'), 401)
    for (let i = 0; i < 5; i += 1) t.equal(await via(`[2001:db8:7::1]:${i}`), 401)
    for (const same of ['[2001:db8:7::2]:80', '[2001:db8:7::1]', '2001:db8:7::1']) t.equal(await via(same), 429, same)
    for (const nonsense of ['', ',', 'unknown', 'a'.repeat(8_000), '999.1.1.1', '__proto__', "'; drop table x"]) {
      t.equal(await via(nonsense), 401, nonsense.slice(0, 20))
    }
  })

  await t.test('when many ask whether it is ready, then one look answers them all', async (t) => {
    let looks = 0
    let look = () => undefined as void
    const held = new Promise<void>((resolve) => (look = resolve))
    const log = async () => {
      looks += 1
      await held
      return { looks }
    }
    const server = await api.server({ health: { log } })
    const ask = () => server.call({ path: '/readyz', from: '192.0.2.9' })
    const asked = Array.from({ length: 20 }, ask)
    // A later request gets a later check.
    setImmediate(look)
    for (const answer of await Promise.all(asked))
      t.match(answer, { status: 200, body: { checks: { log: { looks: 1 } } } })
    t.match(await ask(), { body: { checks: { log: { looks: 2 } } } })
  })

  await t.test('when the process is asked whether it lives, then nothing is counted', async (t) => {
    for (let i = 0; i < 20; i += 1) t.equal((await api.call({ path: '/healthz', from: '192.0.2.9' })).status, 200)
    t.equal(await status('192.0.2.9'), 401)
  })
})

t.test('given a workspace with many keys, then together they get as much as three of them', async (t) => {
  const api = await givenLimits(t, 10, 1_000)
  const keys = await Promise.all(Array.from({ length: 8 }, () => api.key()))
  const other = await api.key({ workspaceId: 'ws_other' })
  const ask = async (key: string) => shown(await api.call(accounts(key)))
  const answers = await Promise.all(keys.flatMap((key) => Array.from({ length: 10 }, () => ask(key))))
  t.equal(answers.filter(({ status }) => status === 200).length, 30)
  const refused = answers.filter(({ status }) => status === 429)
  t.equal(refused.length, 50)
  t.ok(refused.every(({ limit, wait }) => limit === 30 && wait === 50))
  t.equal((await ask(other)).status, 200, 'another workspace has its own')
})

t.test(
  'given ceilings, when more is added than fits, also at once, then what fits is there and the rest is refused',
  async (t) => {
    const api = await givenApi(t, { ceilings: { MAX_FEEDS: 3, MAX_RECYCLING_RULES: 2, MAX_WEBHOOKS: 3 } })
    const key = await api.key()
    const account = await api.world.account('bluesky')
    const add = (path: string, body: object) => api.call({ method: 'POST', path: `/v1${path}`, key, body })
    const feed = (n: number) =>
      add('/rss-feeds', { url: `https://example.com/${n}.xml`, selections: { bluesky: [account] } })
    const webhook = (n: number) => add('/webhooks', { url: `https://example.com/${n}`, events: ['post.failed'] })
    for (const [make, noun, setting] of [
      [feed, 'feeds', 'MAX_FEEDS'],
      [webhook, 'webhooks', 'MAX_WEBHOOKS'],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => make(n)))
      t.equal(answers.filter(({ status }) => status === 200).length, 3, noun)
      const message = `The workspace has 3 ${noun}, which is the limit (${setting}). Remove one, or raise the setting.`
      for (const { status, body } of answers.filter(({ status }) => status !== 200)) {
        t.match({ status, body }, { status: 409, body: { error: { code: 'failed_precondition', message } } })
      }
    }
    const elsewhere = await api.key({ workspaceId: 'ws_other' })
    const body = { url: 'https://example.com/other', events: ['post.failed'] }
    t.equal((await api.call({ method: 'POST', path: '/v1/webhooks', key: elsewhere, body })).status, 200)
  },
)
