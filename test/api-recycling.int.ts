import t, { type Test } from 'tap'
import * as z from 'zod'
import { handle } from '../commands/handle.ts'
import { retryPost } from '../commands/retry-post.ts'
import { post } from '../domain/post/post.ts'
import { SCOPES } from '../domain/core/scope.ts'
import { givenApi } from './support/api.ts'
import { movableClock } from './support/movable-clock.ts'
import type { VirtualClock } from './support/virtual-clock.ts'
import { causedBy, givenProcess } from './support/world.ts'

const DAY = 24 * 3_600_000
/** What was put down some moments apart counts as one moment. */
const daysBetween = (from: unknown, to: unknown) =>
  Math.round((1000 * (Date.parse(String(to)) - Date.parse(String(from)))) / DAY) / 1000
const listSchema = z.object({ rules: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() })

/** An API, and a post that is published on one account of two. */
async function givenRecycling(t: Test, options: { readonly clock?: VirtualClock; readonly projecting?: boolean } = {}) {
  const api = await givenApi(t, options)
  const key = await api.key()
  const service = await givenProcess(api.world)
  const account = await api.world.account('bluesky')
  const sourcePostId = await service.queue({ selections: { bluesky: [account, 'acc_none'], x: [] }, caption: 'Again' })
  await service.drain()
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    api.call({ method, path: `/v1${path}`, key, body, headers })
  const add = async (more: object = {}) =>
    String((await call('POST', '/recycling-rules', { sourcePostId, ...more })).body['id'])
  const list = async (query = '', as = key) =>
    listSchema.parse((await api.call({ path: `/v1/recycling-rules${query}`, key: as })).body)
  return { api, key, service, account, sourcePostId, call, add, list }
}

t.test('given POST /recycling-rules', async (t) => {
  const { api, call, account, sourcePostId, service, list } = await givenRecycling(t)

  await t.test('when only the source is given, then the rest is as the contract says', async (t) => {
    const answer = await call('POST', '/recycling-rules', { sourcePostId })
    t.match(answer, { status: 200, body: { id: /^rule_[0-9A-HJKMNP-TV-Z]{26}$/ } })
    const { requestId: _, id, createdAt, nextRecycleAt, ...rest } = answer.body
    t.same(rest, {
      sourcePostId,
      selections: { bluesky: [account] },
      intervalDays: 30,
      rewriteCaption: false,
      active: true,
      recycleCount: 0,
    })
    t.equal(daysBetween(createdAt, nextRecycleAt), 30)
    const { requestId: __, ...one } = (await call('GET', `/recycling-rules/${String(id)}`)).body
    t.same(one, { id, createdAt, nextRecycleAt, ...rest })
    t.match((await list()).rules, [{ id }])
  })

  await t.test('when all is given, then it is kept', async (t) => {
    const body = { sourcePostId, selections: { x: ['acc_a'], nonsense: [] }, intervalDays: 1, rewriteCaption: true }
    t.match(await call('POST', '/recycling-rules', body), { status: 200, body })
  })

  await t.test('when the same key is used again, then it is the same rule', async (t) => {
    const before = (await list()).rules.length
    const once = () => call('POST', '/recycling-rules', { sourcePostId }, { 'idempotency-key': 'once' })
    const [first, second] = [await once(), await once()]
    t.equal(second.body['id'], first.body['id'])
    t.equal(second.headers['idempotent-replayed'], 'true')
    t.equal((await list()).rules.length, before + 1)
  })

  await t.test('when a field is wrong, then it is named and nothing is kept', async (t) => {
    const before = (await list()).rules.length
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ sourcePostId: undefined }, /^sourcePostId is required/],
      [{ sourcePostId: '' }, /^sourcePostId/],
      [{ sourcePostId: 7 }, /^sourcePostId/],
      [{ sourcePostId: 'p'.repeat(101) }, /^sourcePostId/],
      [{ selections: {} }, /^selections is required: name at least one platform/],
      [{ selections: null }, /^selections/],
      [{ selections: ['x'] }, /^selections/],
      [{ selections: { x: 'acc_1' } }, /^selections\.x/],
      [{ selections: { x: [''] } }, /^selections\.x\[0\] must not be empty/],
      [{ selections: { constructor: ['acc_1'] } }, /^selections/],
      [{ intervalDays: 0 }, /^intervalDays must be a whole number of days from 1 to 3650/],
      [{ intervalDays: 1.5 }, /^intervalDays must be a whole number/],
      [{ intervalDays: '30' }, /^intervalDays must be a whole number/],
      [{ intervalDays: 3651 }, /^intervalDays/],
      [{ intervalDays: null }, /^intervalDays/],
      [{ rewriteCaption: 'yes' }, /^rewriteCaption/],
    ]
    for (const [more, message] of wrong) {
      const answer = await call('POST', '/recycling-rules', { sourcePostId, ...more })
      t.match(answer, { status: 400, code: 'invalid_request', message }, JSON.stringify(more))
    }
    t.match(await call('POST', '/recycling-rules'), { status: 400, code: 'invalid_request' })
    t.equal((await list()).rules.length, before)
  })

  await t.test('when the source is not a published post of the workspace, then it says so', async (t) => {
    const refused = async (id: string) => {
      const answer = await call('POST', '/recycling-rules', { sourcePostId: id })
      t.match(
        answer,
        { status: 400, code: 'invalid_request', message: /^sourcePostId must be the id of a published post/ },
        id,
      )
      return answer.message
    }
    const none = await refused('post_none')
    const others = await service.queue({ selections: { x: ['acc_none'] }, workspaceId: 'ws_other' })
    t.equal(await refused(others), none, 'of another workspace')
    const failed = await service.queue({ selections: { x: ['acc_none'] } })
    t.match(await refused(failed), /the status of this one is processing/)
    await service.drain()
    t.match(await refused(failed), /publish_failed/)
    t.equal(await refused(others), none)
    const later = {
      mediaUrl: 'https://example.com/a.jpg',
      mediaType: 'image',
      selections: { x: ['a'] },
      date: '2099-01-01',
    }
    const scheduled = String((await call('POST', '/posts/scheduled', later)).body['id'])
    t.match(await refused(scheduled), /pending/)
    const theirs = await api.call({
      ...{ method: 'POST', path: '/v1/posts/scheduled', key: await api.key({ workspaceId: 'ws_other' }), body: later },
    })
    t.equal(await refused(String(theirs.body['id'])), none)
    await handle(api.world, post, sourcePostId, causedBy('retry'), (state) => retryPost(state, 'bluesky'))
    t.match(await refused(sourcePostId), /processing/)
  })
})

t.test('given rules', async (t) => {
  const { api, call, add, list } = await givenRecycling(t, {
    clock: movableClock({ standingAt: Date.UTC(2026, 0, 15) }),
  })
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) ids.push(await add())

  await t.test('when they are listed, then newest first, over pages, and only one’s own', async (t) => {
    const found: string[] = []
    for (let query = '?limit=2'; ;) {
      const { rules, nextCursor } = await list(query)
      found.push(...rules.map(({ id }) => id))
      if (nextCursor === null) break
      query = `?limit=2&cursor=${nextCursor}`
    }
    t.same(found, [...ids].sort().reverse())
    t.same(await list('', await api.key({ workspaceId: 'ws_other' })), { rules: [], nextCursor: null })
    for (const query of ['?limit=0', '?limit=101', '?limit=x', '?cursor=x']) {
      t.match(await call('GET', `/recycling-rules${query}`), { status: 400, code: 'invalid_request' }, query)
    }
  })

  await t.test('when one is changed, then what is given changes, and the next turn with it', async (t) => {
    const path = `/recycling-rules/${ids[0]}`
    const before = (await call('GET', path)).body
    const changes: readonly object[] = [
      { active: false },
      { selections: { x: ['acc_1'] } },
      { rewriteCaption: true },
      { intervalDays: 10, active: true },
    ]
    const expected: Record<string, unknown> = { ...before }
    for (const change of changes) {
      Object.assign(expected, change)
      if ('intervalDays' in change) expected['nextRecycleAt'] = '2026-01-25T00:00:00.000Z'
      for (const { body } of [await call('PATCH', path, change), await call('GET', path)]) {
        t.same({ ...body, requestId: '' }, { ...expected, requestId: '' }, JSON.stringify(change))
      }
    }
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{}, /^body needs active, selections, intervalDays or rewriteCaption/],
      [{ sourcePostId: 'post_1' }, /^body needs active/],
      [{ active: 'yes' }, /^active/],
      [{ active: null }, /^active/],
      [{ selections: {} }, /^selections is required/],
      [{ intervalDays: 0 }, /^intervalDays must be a whole number of days/],
      [{ rewriteCaption: 1 }, /^rewriteCaption/],
      [[], /^body/],
    ]
    for (const [body, message] of wrong) {
      t.match(await call('PATCH', path, body), { status: 400, code: 'invalid_request', message }, JSON.stringify(body))
    }
    t.same(
      { ...(await call('GET', path)).body, requestId: '' },
      { ...expected, requestId: '' },
      'nothing has changed it',
    )
  })

  await t.test('when one is deleted, then it is gone', async (t) => {
    const path = `/recycling-rules/${ids[1]}`
    t.equal((await call('DELETE', path)).status, 204)
    t.notOk((await list()).rules.some(({ id }) => id === ids[1]))
    for (const [method, end, body] of [
      ['GET', '', undefined],
      ['DELETE', '', undefined],
      ['PATCH', '', { active: true }],
      ['POST', '/run-now', undefined],
    ] as const) {
      t.match(await call(method, `${path}${end}`, body), { status: 404, code: 'not_found' }, method)
      t.match(await call(method, `/recycling-rules/rule_none${end}`, body), { status: 404, code: 'not_found' }, method)
    }
  })

  await t.test('when it is another’s, or the key has not the scope, then it is forbidden', async (t) => {
    const theirs = await api.key({ workspaceId: 'ws_other' })
    const weak = await api.key({ scopes: SCOPES.filter((scope) => !scope.startsWith('recycling:')) })
    const reading = await api.key({ scopes: ['recycling:read'] })
    const id = ids[2]
    for (const [method, path, body] of [
      ['GET', `/${id}`, undefined],
      ['PATCH', `/${id}`, { active: false }],
      ['DELETE', `/${id}`, undefined],
      ['POST', `/${id}/run-now`, undefined],
    ] as const) {
      const request = { method, path: `/v1/recycling-rules${path}`, body }
      t.match(await api.call({ ...request, key: theirs }), { status: 403, code: 'forbidden' }, method)
      t.match(await api.call({ ...request, key: weak }), { status: 403, code: 'insufficient_scope' }, method)
      const expected = method === 'GET' ? { status: 200 } : { status: 403, code: 'insufficient_scope' }
      t.match(await api.call({ ...request, key: reading }), expected, method)
      t.match(await api.call({ ...request }), { status: 401, code: 'missing_api_key' }, method)
    }
  })

  await t.test('when the method is not one of the path, then it is not allowed', async (t) => {
    for (const [method, path] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['PUT', `/${ids[2]}`],
      ['GET', `/${ids[2]}/run-now`],
    ] as const) {
      t.match(
        await call(method, `/recycling-rules${path}`),
        { status: 405, code: 'method_not_allowed' },
        `${method} ${path}`,
      )
    }
  })
})

t.test('given POST /recycling-rules/{id}/run-now', async (t) => {
  const { api, call, add, account } = await givenRecycling(t)
  const id = await add()
  const runNow = (headers = {}) => call('POST', `/recycling-rules/${id}/run-now`, undefined, headers)

  await t.test('when it is called, then the post is made and shown', async (t) => {
    t.match(await runNow({ 'idempotency-key': 'now' }), { status: 200, body: { id, recycleCount: 0 } })
    await (await givenProcess(api.world)).drain()
    const { body } = await call('GET', `/recycling-rules/${id}`)
    t.match(body, { recycleCount: 1, lastPostId: /^post_/, lastRecycledAt: String })
    t.notOk('lastError' in body)
    t.equal(daysBetween(body['lastRecycledAt'], body['nextRecycleAt']), 30)
    t.match((await call('GET', `/posts/${String(body['lastPostId'])}`)).body, {
      ...{ status: 'published', origin: 'recycling', caption: 'Again', selections: { bluesky: [account] } },
    })
  })

  await t.test('when the same key is used again, then nothing is made again', async (t) => {
    t.match(await runNow({ 'idempotency-key': 'now' }), { status: 200, body: { id, recycleCount: 0 } })
    await (await givenProcess(api.world)).drain()
    t.match((await call('GET', `/recycling-rules/${id}`)).body, { recycleCount: 1 })
  })

  await t.test('when the turn fails, then the rule says why', async (t) => {
    await call('PATCH', `/recycling-rules/${id}`, { selections: { x: ['acc_none'] } })
    await runNow()
    await (await givenProcess(api.world)).drain()
    t.match((await call('GET', `/recycling-rules/${id}`)).body, {
      lastError: 'None of the accounts of this rule is still connected.',
      recycleCount: 1,
    })
  })

  await t.test('when the rule is paused, then it is refused', async (t) => {
    await call('PATCH', `/recycling-rules/${id}`, { active: false })
    t.match(await runNow(), { status: 409, code: 'failed_precondition', message: /^The rule is paused/ })
  })
})

t.test('given a read model that is behind', async (t) => {
  await t.test('when a rule is added, then the response has its state', async (t) => {
    const { call, sourcePostId } = await givenRecycling(t, { projecting: false })
    t.match(await call('POST', '/recycling-rules', { sourcePostId }), {
      status: 200,
      body: { sourcePostId, active: true },
    })
  })

  await t.test('when a rule is changed, then the response has its new state', async (t) => {
    const { api, call, add } = await givenRecycling(t)
    const path = `/recycling-rules/${await add()}`
    const before = (await call('GET', path)).body
    await api.stopProjector()
    const change = { rewriteCaption: true, selections: { x: ['acc_1'] }, active: false }
    const { body } = await call('PATCH', path, change)
    t.same({ ...body, requestId: '' }, { ...before, ...change, requestId: '' })
  })
})
