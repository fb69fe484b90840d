import t, { type Test } from 'tap'
import * as z from 'zod'
import { grantCredits } from '../commands/credits.ts'
import { handle } from '../commands/handle.ts'
import { receiveComment } from '../commands/comment.ts'
import { SCOPES } from '../domain/core/scope.ts'
import { comment, commentStreamId } from '../domain/conversation/comment.ts'
import { credits } from '../domain/video/credits.ts'
import type { Budgets } from '../domain/workspace/budgets.ts'
import { xStandIn } from '../packages/sandbox/x.ts'
import { x } from '../platforms/x/index.ts'
import { takeOf, usedBy, giveBack, sweepKeySpending } from '../infra/postgres/key-spending.ts'
import { givenApi, type Call, type Server } from './support/api.ts'
import { dyingServer, givenUser, signIn } from './support/dashboard.ts'
import { interceptingProxy } from './support/intercepting-proxy.ts'
import { mcpClient } from './support/mcp.ts'
import { movableClock } from './support/movable-clock.ts'
import { givenAccount } from './support/sandbox.ts'
import { until } from './support/service-process.ts'
import { causedBy } from './support/world.ts'

/* What a key may use up on a day: never more, whoever asks at once, and told before it ends. */

const API = '/dashboard/api'
const DAY = 86_400_000
const createdSchema = z.object({ id: z.string(), key: z.string() })
const leftSchema = z.object({
  budgets: z.array(z.object({ budget: z.string(), limit: z.number(), used: z.number(), left: z.number() })),
  renewsAt: z.string(),
})

async function given(t: Test, parts: Parameters<typeof givenApi>[1] = {}) {
  const clock = movableClock()
  const api = await givenApi(t, { clock, ...parts })
  const { world } = api
  const { workspaceId } = await givenUser(api, 'ada', world.workspaceId)
  const page = await signIn(api, 'ada')
  const account = await world.account('bluesky', workspaceId)
  const keyWith = async (budgets?: Budgets) => {
    const body = { scopes: SCOPES, ...(budgets && { budgets }) }
    const made = createdSchema.parse((await page.call({ method: 'POST', path: `${API}/keys`, body })).body)
    const call = (
      method: string,
      path: string,
      body?: object,
      more: Partial<Call> = {},
      to: Pick<Server, 'call'> = api,
    ) => to.call({ ...{ method, path: `/v1${path}`, key: made.key }, ...(body && { body }), ...more })
    const left = async () => leftSchema.parse((await call('GET', '/budgets')).body)
    return { ...made, call, left }
  }
  let posts = 0
  const content = (caption = `Post ${(posts += 1)}`) => ({
    ...{ mediaUrl: `${world.sandbox.url}/media/sample.jpg`, mediaType: 'image', caption },
    selections: { bluesky: [account] },
  })
  return { api, world, clock, page, account, workspaceId, keyWith, content }
}

const refused = { status: 429, code: 'resource_exhausted' }

t.test('given a key that may make 5 posts a day', async (t) => {
  const { api, clock, page, account, keyWith, content } = await given(t)
  const { id, call, left } = await keyWith({ posts: 5 })

  await t.test('when it makes posts in any way, then each counts once, and from 80 % on it is told', async (t) => {
    const draft = z.object({ id: z.string() }).parse((await call('POST', '/drafts', content())).body)
    const first = await call('POST', '/posts', content('Again'), { headers: { 'idempotency-key': 'one' } })
    t.match(first, { status: 202, body: { warnings: undefined } })
    await call('POST', '/posts', content('Again'), { headers: { 'idempotency-key': 'one' } })
    const chain = { parts: [{ text: 'One' }, { text: 'Two' }], selections: { bluesky: [account] } }
    t.match(await call('POST', '/posts/chain', chain), { status: 202, body: { warnings: undefined } })
    await call('POST', `/drafts/${draft.id}/publish`)
    await call('POST', `/drafts/${draft.id}/publish`)
    t.match((await left()).budgets, [{ budget: 'posts', limit: 5, used: 3, left: 2 }])
    const fourth = await call('POST', '/posts/scheduled', { ...content(), scheduledFor: '2099-05-31T09:00:00Z' })
    t.match(fourth, {
      status: 201,
      body: {
        warnings: [
          /^This key has used 4 posts of its daily budget of 5 posts. It renews at \d{4}-\d\d-\d\dT00:00\+00:00\.$/,
        ],
      },
    })
  })

  await t.test('when a post is refused, then it does not count', async (t) => {
    const same = { ...content('Again'), allowDuplicate: false }
    t.match(await call('POST', '/posts', same), { status: 409, code: 'failed_precondition' })
    const past = { ...content(), scheduledFor: '2001-05-31T09:00:00Z' }
    t.match(await call('POST', '/posts/scheduled', past), { status: 400 })
    t.match((await left()).budgets, [{ used: 4 }])
  })

  await t.test('when two processes are asked for the last one at once, then one of them makes it', async (t) => {
    const other = await api.server()
    const answers = await Promise.all(
      [api, other, api, other].map((server) => call('POST', '/posts', content(), {}, server)),
    )
    t.same(answers.map(({ status }) => status).toSorted(), [202, 429, 429, 429])
    const no = answers.find(({ status }) => status === 429)
    t.match(no, {
      ...refused,
      message: /^The daily budget of this key is 5 posts, and 5 posts are used: this takes 1 post more. It renews at /,
    })
    t.match(Number(no?.headers['retry-after']), /^\d+$/)
    t.match((await left()).budgets, [{ used: 5, left: 0 }])
  })

  await t.test('when the file of a plan is too long for it, then its rows say so', async (t) => {
    const csv = `scheduled_for,accounts,caption\n2099-06-01 09:00,${account},A\n`
    const { body } = await call('POST', '/scheduled-posts/import', { csv })
    t.match(body, { scheduled: 0, rows: [{ problems: [/daily budget/] }] })
  })

  await t.test('when its budget is raised, or the next day begins, then it goes on', async (t) => {
    const change = { method: 'PATCH', path: `${API}/keys/${id}`, body: { budgets: { posts: 6 } } }
    t.match(await page.call(change), { status: 200, body: { budgets: { posts: 6 }, usedToday: { posts: 5 } } })
    t.match((await page.call({ path: `${API}/keys` })).body, { keys: [{ id, usedToday: { posts: 5 } }] })
    await clock.advanceTo(clock.now() + 3_000)
    t.match(await call('POST', '/posts', content()), { status: 202 })
    t.match(await call('POST', '/posts', content()), refused)
    const { renewsAt } = await left()
    await clock.advanceTo(Date.parse(renewsAt) - 60_000)
    t.match(await call('POST', '/posts', content()), refused, 'not a minute before')
    await clock.advanceTo(Date.parse(renewsAt))
    t.match(await call('POST', '/posts', content()), { status: 202 })
    t.match((await left()).budgets, [{ used: 1 }])
  })

  await t.test('when the workspace has a time zone, then the day begins there', async (t) => {
    await call('PUT', '/slots', { timezone: 'Asia/Kathmandu', default: [] })
    t.match((await left()).renewsAt, /T18:15:00.000Z$/)
  })

  await t.test('then other keys and people are not held to it', async (t) => {
    const free = await keyWith()
    for (let post = 0; post < 7; post += 1) {
      t.match(await free.call('POST', '/posts', content()), { status: 202, body: { warnings: undefined } })
    }
    t.same((await free.left()).budgets, [])
    t.match(await page.call({ method: 'POST', path: '/v1/posts', body: content() }), { status: 202 })
  })

  await t.test('then wrong budgets are refused, and no stranger changes them', async (t) => {
    const change = (body: object, as = page) => as.call({ method: 'PATCH', path: `${API}/keys/${id}`, body })
    t.match(await change({ budgets: { posts: -1 } }), { status: 400, message: /budgets.posts must be a whole number/ })
    await givenUser(api, 'eve')
    t.match(await change({ budgets: {} }, await signIn(api, 'eve')), { status: 403, code: 'forbidden' })
    t.match(await change({ budgets: {} }), { status: 200, body: { budgets: {}, usedToday: {} } })
  })
})

for (const isLost of [false, true]) {
  const moment = isLost ? 'after' : 'before'
  t.test(
    `given a process that dies ${moment} the post is in the log, when it is repeated, then it counts once`,
    async (t) => {
      const { api, keyWith, content } = await given(t)
      const { call, left } = await keyWith({ posts: 1 })
      const dying = await dyingServer(api, 1, isLost)
      const key = { headers: { 'idempotency-key': 'a key' } }
      t.match(await call('POST', '/posts', content('Once'), key, dying), { status: 500 })
      t.match((await left()).budgets, [{ used: 1 }])
      t.match(await call('POST', '/posts', content('Once'), key), { status: 202 })
      t.match((await left()).budgets, [{ used: 1, left: 0 }])
      t.match(await call('POST', '/posts', content()), refused)
    },
  )
}

t.test('given a budget of credits, then a video that costs more is refused', async (t) => {
  const { world, workspaceId, keyWith } = await given(t)
  await handle(world, credits, workspaceId, causedBy('grant'), (state) =>
    grantCredits(state, { workspaceId, amount: 9 }),
  )
  const { call, left } = await keyWith({ credits: 2 })
  t.match(await call('POST', '/videos', { prompt: 'A cat' }), { status: 202, body: { creditsRemaining: 8 } })
  const two = { prompt: 'Two', scenes: [{ aiPrompt: 'A cat' }, { aiPrompt: 'A dog' }] }
  t.match(await call('POST', '/videos', two), { ...refused, message: /is 2 credits, and 1 credit/ })
  t.match((await left()).budgets, [{ budget: 'credits', used: 1, left: 1 }])
})

t.test('given a budget of replies, then those to send and those to review count', async (t) => {
  const { world, workspaceId, keyWith } = await given(t)
  const accountId = await world.account('x')
  for (const commentId of ['1', '2', '3']) {
    const written = { workspaceId, platform: 'x', accountId, commentId, kind: 'mention', text: 'When?' } as const
    const received = { author: 'Fan', createdAt: '2026-01-01T00:00:00.000Z', references: {}, replied: false }
    await handle(world, comment, commentStreamId(accountId, commentId), causedBy(commentId), (state) =>
      receiveComment(state, { ...written, ...received }),
    )
  }
  const { call, left } = await keyWith({ replies: 2 })
  await until('the comments are shown', 30_000, async () => {
    const { status } = await call('GET', `/comments/3?accountId=${accountId}`)
    return status === 200 || undefined
  })
  const reply = (commentId: string, more = {}) =>
    call('POST', `/comments/${commentId}/reply`, { text: 'Hello', ...more })
  t.match(await reply('1', { review: true }), { status: 200 })
  t.match(await reply('2', { review: true }), { body: { warnings: [/2 replies of its daily budget/] } })
  t.match(await reply('3', { review: true }), { ...refused, message: /is 2 replies, and 2 replies are used/ })
  t.match((await left()).budgets, [{ budget: 'replies', used: 2 }])
})

t.test('given a budget of dollars, then what X will charge counts', async (t) => {
  const { world, keyWith } = await given(t, { platforms: { x }, standIns: [xStandIn] } as never)
  const made = await givenAccount(world.http, world.sandbox, 'x')
  const proxy = await interceptingProxy(t, made.baseUrl)
  const billed = await world.connect('x', { credentials: made.credentials, baseUrl: proxy.url })
  const { call, left } = await keyWith({ usd: 0.03 })
  const text = (words: string) => ({ parts: [{ text: words }], selections: { x: [billed] } })
  const first = await call('POST', '/posts/chain', { ...text('Hello'), scheduledFor: '2099-05-31T09:00:00Z' })
  t.match(first, { status: 202 })
  t.match((await left()).budgets, [{ budget: 'usd', limit: 0.03, used: 0.015, left: 0.015 }])
  const link = await call('POST', '/posts/chain', text('See https://example.com'))
  t.match(link, { ...refused, message: /is \$0.03, and \$0.015 are used: this takes \$0.20 more/ })
  const edit = await call('PATCH', `/scheduled-posts/${String(first.body['id'])}`, { caption: 'https://example.com' })
  t.match(edit, { ...refused, message: /this takes \$0.185 more/ }, 'nor by an edit')
})

t.test('given an agent with a budget, then its tools say what is left', async (t) => {
  const { api, account, keyWith, content } = await given(t)
  const { key } = await keyWith({ posts: 1 })
  const { call } = await mcpClient(t, await api.listen(), { key, profile: 'tasks' })
  t.match((await call('overview')).answer, { budgets: { posts: '1 of 1 left', renewsAt: /T00:00$/ } })
  const publish = async () => {
    const media = [{ url: content().mediaUrl, type: 'image' }]
    const plan = await call('plan_post', {
      selections: { bluesky: [account] },
      media,
      caption: `Hello ${Math.random()}`,
    })
    return call('publish_plan', { planId: plan.answer['planId'] })
  }
  t.match((await publish()).answer, { status: 'publishing', warnings: [/1 post of its daily budget of 1 post/] })
  t.match((await publish()).error, { code: 'resource_exhausted', message: /daily budget/, retryAfterS: Number })
  t.match((await call('overview')).answer, { budgets: { posts: '0 of 1 left' } })
})

t.test('given requests for one subject, then it counts while one of them was not refused', async (t) => {
  const { db } = (await given(t)).world
  const spender = { keyId: 'key_1', workspaceId: 'ws_1', day: '2026-11-30' }
  const now = '2026-11-30T09:00:00.000Z'
  const take = (subject: string, day = spender.day) =>
    takeOf(db, { ...spender, day }, subject, [{ budget: 'posts', amount: 1, limit: 1 }], now)
  const used = async (day = spender.day) => (await usedBy(db, ['key_1'], day)).get('key_1')?.get('posts') ?? 0
  await take('post_1')
  await take('post_1')
  await giveBack(db, 'key_1', 'post_1', ['posts'])
  t.equal(await used(), 1, 'the other one has it')
  await t.rejects(take('post_2'), { name: 'OverBudget' })
  await take('post_1', '2026-12-01')
  t.equal(await used('2026-12-01'), 0, 'a repeat on the next day')
  for (const _ of [1, 2, 3]) await giveBack(db, 'key_1', 'post_1', ['posts'])
  t.equal(await used(), 0)
  await take('post_2')
  await sweepKeySpending(db, Date.parse(now) + 3 * DAY)
  t.equal(await used(), 0)
})
