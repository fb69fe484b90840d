import t, { type Test } from 'tap'
import { examineCosts } from '../app/cli/doctor/costs.ts'
import { handle, load } from '../commands/handle.ts'
import { requestCommentsCheck } from '../commands/request-comments-check.ts'
import { setBackgroundReading } from '../commands/set-background-reading.ts'
import { account } from '../domain/account/account.ts'
import { BILLING_PLATFORMS } from '../domain/core/platform.ts'
import type { PlatformCost } from '../domain/account/month-costs.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { monthCosts } from '../reactors/accounts/month-costs.ts'
import { costsOf, inDollars, unknownPrices } from '../platforms/kit/costs.ts'
import { costs } from '../platforms/x/costs.ts'
import { x } from '../platforms/x/index.ts'
import { platforms } from '../platforms/registry.ts'
import { findPost } from '../projections/models/posts.ts'
import { createPreview } from '../reactors/publishing/preview.ts'
import { xStandIn } from '../packages/sandbox/x.ts'
import { MINUTE, PACE, pass } from './support/comments.ts'
import { interceptingProxy } from './support/intercepting-proxy.ts'
import { givenApi } from './support/api.ts'
import { givenAccount } from './support/sandbox.ts'
import { accessOf, causedBy, givenProcess, givenWorld } from './support/world.ts'

const DAY = 24 * 60 * MINUTE

/** An account whose calls cost money: it is not at the sandbox, as far as the service knows. */
async function givenBilled(t: Test) {
  const world = await givenWorld(t, { platforms: { x }, standIns: [xStandIn] })
  const made = await givenAccount(world.http, world.sandbox, 'x')
  const proxy = await interceptingProxy(t, made.baseUrl)
  const accountId = await world.connect('x', { credentials: made.credentials, baseUrl: proxy.url })
  /** Calls from here on that X charges for. */
  const reads = () => proxy.calls.filter((call) => ['mentions', 'tweets'].includes(call)).length
  return { world, accountId, proxy, reads }
}

t.test('given the prices of X', async (t) => {
  t.same(
    Object.fromEntries(Object.entries(costs.kinds).map(([kind, { microUsd }]) => [kind, inDollars(microUsd)])),
    // https://docs.x.com/x-api/getting-started/pricing, "Credit consumption details", on the date of the table.
    { post: '$0.015', post_with_link: '$0.20', reply: '$0.01', post_read: '$0.005', user_read: '$0.01' },
  )
  t.match(costs.asOf, /^\d{4}-\d\d-\d\d$/)
  for (const [text, kind] of [
    ['Hello', 'post'],
    ['', 'post'],
    ['See https://example.com/a', 'post_with_link'],
    ['See example.com', 'post_with_link'],
    ['Write to mail@example.com', 'post'],
  ] as const) {
    t.equal(costs.publish(text), kind, text)
  }

  await t.test('when the operator has other prices, then those count, and wrong names are found', async (t) => {
    const at = costsOf(platforms, new Map([['x', { post_read: 0.001 }]]), 'http://127.0.0.1:3001')
    t.equal(at({ platform: 'x' })?.kinds['post_read']?.microUsd, 1_000)
    t.equal(at({ platform: 'x' })?.kinds['post']?.microUsd, 15_000)
    t.same(unknownPrices(x, { post: 1, tweet: 1 }), ['tweet'])
    t.same(unknownPrices({}, { post: 1 }), ['post'])
  })

  await t.test('when an account is at the sandbox, or on another platform, then its calls are free', async (t) => {
    const of = costsOf(platforms, new Map(), 'http://127.0.0.1:3001')
    t.equal(of({ platform: 'x', baseUrl: 'http://127.0.0.1:3001/x' }), undefined)
    t.ok(of({ platform: 'x', baseUrl: 'http://127.0.0.1:30011/x' }), 'another port is another server')
    t.equal(of({ platform: 'bluesky' }), undefined)
  })
})

t.test('given a month in which an account was used', async (t) => {
  const { world, accountId } = await givenBilled(t)
  const service = await givenProcess(world, { pace: PACE, metrics: true })
  const free = await world.account('x')
  const costsFor = monthCosts({ db: world.db, costsOf: accessOf(world).costsOf })
  const month = isoTime(world.clock.now()).slice(0, 7)
  const selections = { x: [accountId, free] }
  await service.queue({ selections, caption: 'Hello' })
  await service.queue({ selections, caption: 'Hello', captionOverrides: { x: 'See example.com' } })
  await pass(world, service, MINUTE)
  const kind = (kind: string, count: number, usd: number) => ({ kind, label: costs.kinds[kind]?.label, count, usd })
  const posts = [kind('post', 1, 0.015), kind('post_with_link', 1, 0.2)]

  await t.test('when the costs are asked for, then they are those of what was published', async (t) => {
    t.same(await costsFor(month, world.workspaceId), [{ platform: 'x', usd: 0.215, asOf: costs.asOf, kinds: posts }])
    t.same(await costsFor(month), await costsFor(month, world.workspaceId))
    t.same(await costsFor(month, 'another'), [])
    t.same(await costsFor('2020-12'), [])
    const examined = async (budget: number) =>
      (await examineCosts({ ...world, access: accessOf(world), settings: { budgets: new Map([['x', budget]]) } }))[0]
    const spent = `X in ${month}: about $0.215 (1 posts, 1 posts with a link)`
    t.same(await examined(10), { check: 'costs', level: 'ok', finding: spent })
    const at = { level: 'warning', remedy: /X_MONTHLY_BUDGET/ }
    t.match(await examined(0.25), { ...at, finding: `${spent} of $0.25: nothing is read in the background` })
    t.match(await examined(0.2), { ...at, finding: `${spent} of $0.20: posts and replies wait` })
  })

  await t.test('when it is read in the background, then each post counts once on a day', async (t) => {
    await handle(world, account, accountId, causedBy('on'), (state) => setBackgroundReading(state, true))
    const days = new Set<string>()
    for (let hour = 0; hour < 6; hour += 1) {
      await pass(world, service, 60 * MINUTE)
      days.add(isoTime(world.clock.now()).slice(0, 10))
    }
    const [cost] = await costsFor(month)
    const reads = cost?.kinds.find((each) => each.kind === 'post_read')?.count ?? 0
    t.ok(reads >= 2 && reads <= 2 * days.size, `${reads} reads on ${days.size} days`)
    t.equal(cost?.usd, 0.215 + reads * 0.005)
  })
})

t.test('given posts with first comments, when the costs are asked for, then each is a post of its own', async (t) => {
  const { world, accountId } = await givenBilled(t)
  const service = await givenProcess(world, { pace: PACE })
  for (const firstComment of ['More soon', 'See example.com']) {
    await service.queue({
      selections: { x: [accountId] },
      caption: firstComment,
      platformOptions: { x: { firstComment } },
    })
  }
  await pass(world, service, 2 * MINUTE)
  const month = isoTime(world.clock.now()).slice(0, 7)
  const [cost] = await monthCosts({ db: world.db, costsOf: accessOf(world).costsOf })(month, world.workspaceId)
  t.same(
    cost?.kinds.map(({ kind, count }) => [kind, count]),
    [
      ['post', 2],
      ['post_with_link', 2],
    ],
  )
})

t.test('given a monthly budget', async (t) => {
  const { world, accountId, reads } = await givenBilled(t)
  const parts = { pace: PACE, metrics: true } as const
  const service = await givenProcess(world, { ...parts, budgets: new Map([['x', 0.05]]) })
  const selections = { x: [accountId] }
  const publish = async () => {
    const id = await service.queue({ selections, caption: crypto.randomUUID() })
    await pass(world, service, MINUTE)
    return id
  }
  const statusOf = async (id: string) => (await findPost(world.db, id))?.status
  const limits = async () => {
    const state = await load(world.log, account, accountId)
    return state.status === 'connected' ? (state.limits ?? {}) : {}
  }
  await handle(world, account, accountId, causedBy('on'), (state) => setBackgroundReading(state, true))

  await t.test('when four fifths are spent, then nothing is read in the background, and posts go out', async (t) => {
    for (const _ of [1, 2, 3]) t.equal(await statusOf(await publish()), 'published')
    await pass(world, service, 20 * MINUTE)
    const before = reads()
    await pass(world, service, 60 * MINUTE)
    t.equal(reads(), before)
    const { comments, publishing } = await limits()
    t.match(comments, { cause: 'billing', reason: /^Comments and metrics are not read .* X_MONTHLY_BUDGET is raised/ })
    t.equal(publishing, undefined)
    await publish()
  })

  let waiting = ''
  await t.test('when all is spent, then posts wait, and the account says why', async (t) => {
    waiting = await publish()
    t.equal(await statusOf(waiting), 'processing')
    const { publishing } = await limits()
    t.match(publishing, {
      cause: 'billing',
      reason: /^Posts and replies wait until .*, or until X_MONTHLY_BUDGET is raised/,
    })
  })

  await t.test('when the budget is raised, then they go out within 15 minutes', async (t) => {
    const raised = await givenProcess(world, { ...parts, budgets: new Map([['x', 100]]) })
    await pass(world, raised, 20 * MINUTE)
    t.equal(await statusOf(waiting), 'published')
    t.same(await limits(), {})
  })

  await t.test('when the next month begins, then they go out, too', async (t) => {
    const id = await publish()
    t.equal(await statusOf(id), 'processing')
    const now = new Date(world.clock.now())
    await world.clock.advanceTo(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
    await pass(world, service, MINUTE)
    t.equal(await statusOf(id), 'published')
  })
})

t.test('given the API, when costs are asked for, then it answers for a month', async (t) => {
  const api = await givenApi(t)
  const key = await api.key({ scopes: ['accounts:read'] })
  const month = isoTime(api.world.clock.now()).slice(0, 7)
  t.match(await api.call({ path: '/v1/costs', key }), { status: 200, body: { month, costs: [] } })
  const asked: unknown[] = []
  const spent: PlatformCost = {
    ...{ platform: 'x', usd: 0.2, asOf: costs.asOf },
    kinds: [{ kind: 'post_with_link', label: 'posts with a link', count: 1, usd: 0.2 }],
  }
  const server = await api.server({ services: { monthCosts: async (...of) => (asked.push(of), [spent]) } })
  const answer = await server.call({ path: '/v1/costs?month=2026-10', key })
  t.match(answer, { status: 200, body: { month: '2026-10', costs: [spent] } })
  t.same(asked, [['2026-10', api.world.workspaceId]], 'of its own workspace')
  t.match(await api.call({ path: '/v1/costs?month=2026-13', key }), {
    status: 400,
    body: { error: { message: /month/ } },
  })
})

t.test('the platforms with prices are those whose use is recorded', (t) => {
  const priced = Object.values(platforms).filter((platform) => platform.costs)
  t.same(priced.map(({ key }) => key).toSorted(), [...BILLING_PLATFORMS].toSorted())
  for (const { costs } of priced) {
    for (const kind of [...(costs?.perComment ?? []), ...(costs?.perLook ?? [])]) t.ok(costs?.kinds[kind], kind)
  }
  t.equal(costs.reply('See example.com'), 'post_with_link')
  t.equal(costs.reply('Thank you'), 'reply')
  t.end()
})

t.test('given a post, when it is previewed, then it shows what each account costs', async (t) => {
  const { world, accountId } = await givenBilled(t)
  const free = await world.account('x')
  const preview = createPreview({ ...world, access: accessOf(world) })
  const of = async (caption: string) =>
    preview({
      workspaceId: world.workspaceId,
      mediaUrl: `${world.sandbox.url}/media/sample.jpg`,
      mediaType: 'image',
      selections: { x: [accountId, free] },
      ...{ caption, captionOverrides: {}, hashtags: [] },
    })
  const { asOf } = costs
  t.match(await of('Hello'), [{ cost: { usd: 0.015, kind: 'posts', asOf } }, { cost: undefined }])
  t.match(await of('See example.com'), [{ cost: { usd: 0.2, kind: 'posts with a link' } }, { cost: undefined }])
})

t.test('given an account where reading costs money', async (t) => {
  const { world, accountId, reads } = await givenBilled(t)
  const service = await givenProcess(world, { pace: PACE, metrics: true })
  await service.queue({ selections: { x: [accountId] } })
  await pass(world, service, MINUTE)
  const published = reads()
  const read = async (ms: number) => {
    const before = reads()
    await pass(world, service, ms)
    return reads() - before
  }
  t.equal(published, 1, 'the post itself')

  await t.test('when nobody has switched it on, then nothing is read in the background', async (t) => {
    t.equal(await read(3 * DAY), 0)
  })

  await t.test('when somebody asks for its comments, then it is read once', async (t) => {
    await handle(world, account, accountId, causedBy('check'), (state) =>
      requestCommentsCheck(state, world.clock.now()),
    )
    t.equal(await read(2 * DAY), 1)
  })

  await t.test('when it is switched on, then it is read until it is switched off', async (t) => {
    await handle(world, account, accountId, causedBy('on'), (state) => setBackgroundReading(state, true))
    t.ok((await read(DAY)) > 10)
    await handle(world, account, accountId, causedBy('off'), (state) => setBackgroundReading(state, false))
    await pass(world, service, MINUTE)
    t.equal(await read(3 * DAY), 0)
  })
})

t.test('given an account at the sandbox, then it is read in the background', async (t) => {
  const world = await givenWorld(t, { platforms: { x }, standIns: [xStandIn] })
  await world.account('x')
  const calls: string[] = []
  const http: typeof world.http = {
    ...world.http,
    request: (url, options) => {
      calls.push(url)
      return world.http.request(url, options)
    },
  }
  const service = await givenProcess(world, { pace: PACE, http })
  await pass(world, service, 10 * MINUTE)
  t.ok(calls.some((url) => url.includes('/mentions')))
})
