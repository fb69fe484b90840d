import t, { type Test } from 'tap'
import { createWorkspace } from '../commands/create-workspace.ts'
import { handle } from '../commands/handle.ts'
import { workspace } from '../domain/workspace/workspace.ts'
import { givenApi } from './support/api.ts'
import { ids } from './support/sandbox.ts'
import { causedBy } from './support/world.ts'

const NINE = { day: 'monday', time: '09:00' }
const TEN = { day: 'monday', time: '10:00' }

async function givenSlots(t: Test, plan?: object) {
  const api = await givenApi(t)
  const workspaceId = `ws_${ids.ulid()}`
  await handle(api.world, workspace, workspaceId, causedBy(ids.token()), (state) =>
    createWorkspace(state, { name: 'a' }),
  )
  const key = await api.key({ workspaceId })
  const call = (method: string, path: string, body?: object, headers = {}) =>
    api.call({ method, path: `/v1${path}`, key, body, headers })
  const account = await api.world.account('x', workspaceId)
  const body = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', selections: { x: [account] } }
  const next = { ...body, scheduledFor: 'next-slot' }
  if (plan) t.equal((await call('PUT', '/slots', { timezone: 'Europe/Berlin', ...plan })).status, 200)
  const timeOf = async (more = {}, headers = {}) => {
    const { status, body } = await call('POST', '/posts/scheduled', { ...next, ...more }, headers)
    return status === 201 ? String(body['scheduledAtUtc']) : status
  }
  const upcoming = async () =>
    (
      (await call('GET', `/slots/next?accountIds=${account}&limit=5`)).body['slots'] as { scheduledAtUtc: string }[]
    ).map((slot) => slot.scheduledAtUtc)
  return { api, key, call, account, body, next, timeOf, upcoming }
}

t.test('given a name that is no platform, when its next slots are asked for, then 400 says so', async (t) => {
  const { call } = await givenSlots(t, { default: [NINE] })
  const answer = await call('GET', '/slots/next?platforms=x,myspace')
  t.match(answer, { status: 400, message: /^platforms must be platform keys/ })
})

t.test('given no slots, when the next one is asked for, then the error says how to set them', async (t) => {
  const { call, next } = await givenSlots(t)
  t.match((await call('GET', '/slots')).body, { default: [], platforms: {} })
  const answer = await call('POST', '/posts/scheduled', next)
  t.match(answer, { status: 400, code: 'invalid_request', message: /scheduledFor .*PUT \/v1\/slots/ })
})

t.test('given slots, when those of a period are asked for, then there are no others', async (t) => {
  const { call, timeOf, upcoming } = await givenSlots(t, { default: [NINE, TEN] })
  const [first = '', second = '', third = '', fourth = ''] = await upcoming()
  const within = async (from: string, to: string) =>
    (await call('GET', `/slots/next?limit=1000&from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`)).body[
      'slots'
    ]
  t.match(await within(second, fourth), [{ scheduledAtUtc: second }, { scheduledAtUtc: third }], 'to is exclusive')
  t.equal(await timeOf({ scheduledFor: second }), second)
  t.strictSame(
    ((await within(first, fourth)) as { scheduledAtUtc: string }[]).map(({ scheduledAtUtc: at }) => at),
    [first, third],
    'the taken one is left out',
  )
  t.strictSame(await within(fourth, first), [], 'nothing is between a time and one before it')
  t.match(await call('GET', '/slots/next?from=tomorrow'), { status: 400, message: /^from must be a time/ })
})

t.test('given slots, when posts ask for the next one', async (t) => {
  const { call, timeOf, upcoming, body, next } = await givenSlots(t, { default: [TEN, NINE, NINE] })
  t.match((await call('GET', '/slots')).body, { timezone: 'Europe/Berlin', default: [NINE, TEN], platforms: {} })
  t.match((await call('GET', '/slots/events')).body['events'], [{ type: 'WorkspaceCreated' }, { type: 'SlotsSet' }])
  const [first = '', second = '', third = '', fourth = ''] = await upcoming()

  await t.test('then each gets the first free time, and a repeat the same one', async (t) => {
    t.match((await call('POST', '/posts/preview', next)).body, { scheduledAtUtc: first })
    const idempotent = { 'idempotency-key': 'one' }
    t.equal(await timeOf({}, idempotent), first)
    t.equal(await timeOf({}, idempotent), first)
    t.equal(await timeOf(), second)
  })

  await t.test('then a post that is moved or cancelled frees its slot', async (t) => {
    const { body: made } = await call('POST', '/posts/scheduled', next)
    const path = `/scheduled-posts/${String(made['id'])}`
    t.equal(made['scheduledAtUtc'], third)
    const ownFree = await call('GET', `/slots/next?platforms=x&limit=1&postId=${String(made['id'])}`)
    t.match(ownFree.body, { slots: [{ scheduledAtUtc: third }] }, 'its own time counts as free')
    t.match((await call('PATCH', path, { scheduledFor: 'next-slot' })).body, { scheduledAtUtc: third }, 'it stays')
    await call('PATCH', path, { date: '2099-01-01' })
    t.equal((await upcoming())[0], third)
    t.match((await call('PATCH', path, { scheduledFor: 'next-slot' })).body, { scheduledAtUtc: third })
    await call('DELETE', path)
    t.equal(await timeOf(), third)
  })

  await t.test('then drafts and duplicates get one too', async (t) => {
    const { body: draft } = await call('POST', '/drafts', body)
    const path = `/drafts/${String(draft['id'])}/schedule`
    const made = (await call('POST', path, { scheduledFor: 'next-slot' })).body
    t.match(made, { scheduledAtUtc: fourth })
    const copy = await call('POST', `/posts/${String(made['id'])}/duplicate`, { scheduledFor: 'next-slot' })
    t.ok(String(copy.body['scheduledAtUtc']) > fourth)
  })

  await t.test('then a time must be given in one way', async (t) => {
    t.match(await call('POST', '/posts/scheduled', body), { status: 400, message: /^date is required/ })
    t.match(await call('POST', '/posts/scheduled', { ...next, date: '2099-01-01' }), { status: 400, message: /date/ })
  })
})

t.test('given two processes, when many posts ask at once, then no two get the same slot', async (t) => {
  const { api, key, next } = await givenSlots(t, { default: [NINE, TEN] })
  const second = await api.server()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      (n % 2 ? api : second).call({ method: 'POST', path: '/v1/posts/scheduled', key, body: next }),
    ),
  )
  t.same(new Set(answers.map(({ status }) => status)), new Set([201]))
  t.equal(new Set(answers.map(({ body }) => body['scheduledAtUtc'])).size, 12)
})
