import t, { type Test } from 'tap'
import * as z from 'zod'
import { SCOPES, type Scope } from '../domain/core/scope.ts'
import { givenApi } from './support/api.ts'
import { PACE } from './support/comments.ts'
import { givenUser, signIn } from './support/dashboard.ts'
import { mcpClient } from './support/mcp.ts'
import { movableClock } from './support/movable-clock.ts'
import { until } from './support/service-process.ts'
import { givenProcess } from './support/world.ts'

/* What is published at once waits for as long as somebody may take it back. */

const API = '/dashboard/api'
const createdSchema = z.object({ id: z.string(), key: z.string() })

async function given(t: Test) {
  const clock = movableClock()
  const api = await givenApi(t, { clock })
  const { world } = api
  const { workspaceId } = await givenUser(api, 'ada')
  const page = await signIn(api, 'ada')
  const account = await world.account('bluesky', workspaceId)
  const service = await givenProcess({ ...world, clock }, { pace: PACE })
  const run = async () => {
    while ((await service.step()) > 0);
  }
  const createKey = async (more: object = {}, scopes: readonly Scope[] = SCOPES) => {
    const answer = await page.call({ method: 'POST', path: `${API}/keys`, body: { scopes, ...more } })
    return createdSchema.parse(answer.body)
  }
  const callWith = (key: string) => (method: string, path: string, body?: object, idempotencyKey?: string) =>
    api.call({
      ...{ method, path: `/v1${path}`, key, ...(body && { body }) },
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    })
  const content = (caption: string) => ({
    ...{ mediaUrl: `${world.sandbox.url}/media/sample.jpg`, mediaType: 'image', caption },
    selections: { bluesky: [account] },
  })
  /** The clock goes on meanwhile. */
  const isIn = (at: unknown, seconds: number, say: string) => {
    const away = Date.parse(z.string().parse(at)) - clock.now()
    t.ok(away > (seconds - 5) * 1000 && away <= seconds * 1000, `${say}: in ${away} ms`)
  }
  const live = () => world.sandbox.ledger.posts('bluesky').length
  const setUndo = async (seconds: number) => {
    const answer = await page.call({ method: 'PUT', path: `${API}/undo`, body: { seconds } })
    t.match(answer, { status: 200, body: { seconds } })
  }
  return { api, world, clock, isIn, page, account, run, createKey, callWith, content, live, setUndo }
}

const text = z.string()
const idOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) => text.parse(body['id'])

t.test('given a workspace in which posts can be taken back for 30 seconds', async (t) => {
  const { clock, isIn, page, run, createKey, callWith, content, live, setUndo, account } = await given(t)
  const call = callWith((await createKey()).key)
  t.match(await call('POST', '/posts', content('Before')), {
    status: 202,
    body: { queued: true, undoUntil: undefined },
  })
  await run()
  t.equal(live(), 1, 'without it, a post is published at once')
  await setUndo(30)
  t.match(await page.call({ path: `${API}/undo` }), { status: 200, body: { seconds: 30 } })

  await t.test('when a post is made in any way, then it goes out once the time is over, and once', async (t) => {
    const before = live()
    const draftId = idOf(await call('POST', '/drafts', content('A draft')))
    const first = await call('POST', '/posts', content('Mine'), 'a key')
    t.match(first, { status: 202, body: { queued: false } })
    isIn(first.body['undoUntil'], 30, 'a post')
    t.match(
      await call('POST', '/posts', content('Mine'), 'a key'),
      { body: { id: idOf(first) } },
      'a repeat is the same post',
    )
    const chain = { parts: [{ text: 'One' }], selections: { bluesky: [account] } }
    isIn((await call('POST', '/posts/chain', chain)).body['undoUntil'], 30, 'a text')
    isIn((await call('POST', `/drafts/${draftId}/publish`)).body['undoUntil'], 30, 'a draft')
    const copy = await call('POST', `/posts/${idOf(first)}/duplicate`, { caption: 'Copied' })
    isIn(copy.body['undoUntil'], 30, 'a copy')
    t.match(await call('GET', '/forecast?days=1'), { body: { totals: { published: 4 } } }, 'the forecast counts them')
    await run()
    t.equal(live(), before)
    await clock.advanceTo(clock.now() + 15_000)
    await run()
    t.equal(live(), before, 'not before')
    await clock.advanceTo(clock.now() + 20_000)
    await run()
    t.equal(live(), before + 4)
    t.match(await call('GET', `/posts/${idOf(first)}`), { body: { status: 'published' } })
  })

  await t.test('when it is cancelled meanwhile, then it is never published', async (t) => {
    const before = live()
    const id = idOf(await call('POST', '/posts', content('Oops')))
    t.match(await call('DELETE', `/scheduled-posts/${id}`), { status: 204 })
    await clock.advanceTo(clock.now() + 60_000)
    await run()
    t.equal(live(), before)
    t.match(await call('GET', `/scheduled-posts/${id}`), { body: { status: 'cancelled' } })
  })

  await t.test('when somebody approves a post without a time, then it can be taken back, too', async (t) => {
    const before = live()
    const id = idOf(await call('POST', '/posts', { ...content('Approve'), requestApproval: true }))
    const approved = await page.call({ method: 'POST', path: `/v1/approvals/${id}/approve`, body: { version: 1 } })
    isIn(z.object({ scheduledAtUtc: z.string() }).parse(approved.body['post']).scheduledAtUtc, 30, 'once approved')
    await run()
    t.equal(live(), before)
    const back = { method: 'POST', path: `/v1/approvals/${id}/request-changes`, body: { comment: 'Wait' } }
    t.match(await page.call(back), { status: 200, body: { status: 'changes_requested' } })
    await clock.advanceTo(clock.now() + 60_000)
    await run()
    t.equal(live(), before)
  })

  await t.test('when a key has a time of its own, then that counts, also after it was changed', async (t) => {
    const key = await createKey({ undoSeconds: 0 })
    const quick = callWith(key.key)
    t.match(await quick('POST', '/posts', content('Quick')), { body: { queued: true, undoUntil: undefined } })
    const listed = await page.call({ path: `${API}/keys` })
    t.match(listed.body, { keys: [{ id: key.id, undoSeconds: 0 }, { undoSeconds: null }] })
    const change = (undoSeconds: number | null) =>
      page.call({ method: 'PATCH', path: `${API}/keys/${key.id}`, body: { undoSeconds } })
    t.match(await change(601), { status: 400, message: 'undoSeconds must be 0 to 600 seconds' })
    t.match(await change(120), { status: 200, body: { id: key.id, undoSeconds: 120 } })
    // Keys are cached for a moment.
    await clock.advanceTo(clock.now() + 3_000)
    isIn((await quick('POST', '/posts', content('Slower'))).body['undoUntil'], 120, 'of the key')
    t.match(await change(null), { body: { undoSeconds: null } })
  })
})

t.test('given an agent whose posts can be taken back, then its tools say so, and cancel', async (t) => {
  const { api, page, account, clock, content, createKey, run, live } = await given(t)
  const { key } = await createKey({ undoSeconds: 60 }, ['posts:read', 'posts:write', 'accounts:read'])
  const { call } = await mcpClient(t, await api.listen(), { key, profile: 'tasks' })
  const publish = async (caption: string) => {
    const media = [{ url: content('').mediaUrl, type: 'image' }]
    const plan = await call('plan_post', { selections: { bluesky: [account] }, media, caption })
    return (await call('publish_plan', { planId: plan.answer['planId'] })).answer
  }
  const first = await publish('A typo')
  t.match(first, { status: 'scheduled', undoUntil: /^\d{4}/, next: /cancel takes it back/ })
  t.match((await call('cancel', { id: first['postId'] })).answer, { status: 'cancelled' })
  await clock.advanceTo(clock.now() + 61_000)
  await run()
  t.equal(live(), 0)
  const second = await publish('No typo')
  await clock.advanceTo(clock.now() + 61_000)
  await run()
  t.equal(live(), 1)
  await until('the post', 60_000, async () => {
    const { status } = await page.call({ path: `/v1/posts/${text.parse(second['postId'])}` })
    return status === 200 || undefined
  })
  t.match((await call('cancel', { id: second['postId'] })).error, {
    code: 'failed_precondition',
    message: /pass unpublish/,
  })
})

t.test('given another workspace, then its setting is its own, and no key sets it', async (t) => {
  const { api, setUndo, createKey, callWith } = await given(t)
  await setUndo(60)
  await givenUser(api, 'eve')
  const eve = await signIn(api, 'eve')
  t.match(await eve.call({ path: `${API}/undo` }), { body: { seconds: 0 } })
  const { id, key } = await createKey()
  const body = { undoSeconds: 0 }
  t.match(await eve.call({ method: 'PATCH', path: `${API}/keys/${id}`, body }), { status: 403, code: 'forbidden' })
  t.match(await callWith(key)('PUT', '/undo', { seconds: 0 }), { status: 404 })
  t.match(await api.call({ method: 'PUT', path: `${API}/undo`, key, body: { seconds: 0 } }), { status: 401 })
})
