import t, { type Test } from 'tap'
import * as z from 'zod'
import { createApiKey } from '../commands/create-api-key.ts'
import { scopesOf } from '../domain/workspace/role.ts'
import type { Scope } from '../domain/core/scope.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { givenApi } from './support/api.ts'
import { PACE } from './support/comments.ts'
import { givenUser, signIn } from './support/dashboard.ts'
import { mcpClient } from './support/mcp.ts'
import { givenProcess } from './support/world.ts'

/* A key with posts:propose: it writes, and nothing of it is published before a person approves it. */

const HOUR = 3_600_000
const PROPOSER: readonly Scope[] = ['accounts:read', 'posts:read', 'posts:propose', 'approvals:write', 'comments:write']
const idSchema = z.object({ id: z.string() })

async function given(t: Test) {
  const api = await givenApi(t)
  const { world } = api
  const { workspaceId } = await givenUser(api, 'ada')
  const page = await signIn(api, 'ada')
  const account = await world.account('bluesky', workspaceId)
  const service = await givenProcess(world, { pace: PACE })
  const run = async () => {
    while ((await service.step()) > 0);
  }
  const keyed = async (scopes: readonly Scope[]) => {
    const key = await api.key({ scopes: [...scopes], workspaceId })
    const call = (method: string, path: string, body?: object) =>
      api.call({ method, path: `/v1${path}`, key, ...(body && { body }) })
    return { key, call }
  }
  const content = (caption: string) => ({
    ...{ mediaUrl: `${world.sandbox.url}/media/sample.jpg`, mediaType: 'image', caption },
    selections: { bluesky: [account] },
  })
  const inHours = (hours: number) => isoTime(world.clock.now() + hours * HOUR)
  const live = () => world.sandbox.ledger.posts('bluesky').length
  const idOf = ({ body }: { readonly body: unknown }) => idSchema.parse(body).id
  return { api, world, page, account, run, keyed, content, inHours, live, idOf }
}

t.test('given a key that may only propose', async (t) => {
  const { api, world, page, run, keyed, content, inHours, live, idOf, account } = await given(t)
  const agent = await keyed(PROPOSER)
  const writer = await keyed(scopesOf('author'))
  const decider = await keyed(['posts:read', 'posts:write', 'approvals:decide'])

  await t.test('when it makes posts in any way, then each waits, and none is published', async (t) => {
    const { id: draftId } = idSchema.parse((await agent.call('POST', '/drafts', content('A draft'))).body)
    const csv = `scheduled_for,accounts,caption,media_urls\n${inHours(4)},${account},Row,${content('').mediaUrl}\n`
    const made = [
      await agent.call('POST', '/posts', content('Now')),
      await agent.call('POST', '/posts/scheduled', { ...content('At two'), scheduledFor: inHours(2) }),
      await agent.call('POST', '/posts/chain', { parts: [{ text: 'In words' }], selections: { bluesky: [account] } }),
      await agent.call('POST', `/drafts/${draftId}/publish`),
    ]
    for (const { status, body } of made) {
      t.ok(status === 201 || status === 202, `${status} ${JSON.stringify(body)}`)
      t.match(await agent.call('GET', `/approvals/${String(body['id'])}`), { body: { status: 'awaiting_approval' } })
    }
    t.match((await agent.call('POST', '/scheduled-posts/import', { csv })).body, { scheduled: 1 })
    const copy = await agent.call('POST', `/posts/${String(made[0]?.body['id'])}/duplicate`, { caption: 'Copied' })
    t.match(copy, { status: 202, body: { awaitsApproval: true } })
    await run()
    await world.clock.advanceTo(world.clock.now() + 48 * HOUR)
    await run()
    t.equal(live(), 0)
  })

  await t.test(
    'when a person approves one, then it is published once; no key can, nor whom a key invites',
    async (t) => {
      const id = idOf(await agent.call('POST', '/posts', content('Approve me')))
      t.match(await agent.call('POST', `/approvals/${id}/approve`, { version: 1 }), { code: 'insufficient_scope' })
      const byKey = await decider.call('POST', `/approvals/${id}/approve`, { version: 1 })
      t.match(byKey, { status: 403, code: 'forbidden', message: /a person has to approve it/ })
      t.match(await decider.call('POST', `/approvals/${id}/links`, {}), { status: 403, code: 'forbidden' })
      t.match(await decider.call('POST', `/approvals/${id}/links`, { mayDecide: false }), { status: 201 })
      await run()
      t.equal(live(), 0)
      const approved = await page.call({ method: 'POST', path: `/v1/approvals/${id}/approve`, body: { version: 1 } })
      t.match(approved, { status: 200, body: { status: 'approved' } })
      await run()
      t.equal(live(), 1)
      t.match(await agent.call('GET', `/posts/${id}`), { body: { status: 'published' } })
    },
  )

  await t.test('when it edits what was approved, then it waits again', async (t) => {
    const id = idOf(await agent.call('POST', '/posts/scheduled', { ...content('Approved'), scheduledFor: inHours(2) }))
    await page.call({ method: 'POST', path: `/v1/approvals/${id}/approve`, body: { version: 1 } })
    const edited = await agent.call('PATCH', `/scheduled-posts/${id}`, { caption: 'Sneaky' })
    t.match(edited, { status: 200, body: { approval: { status: 'awaiting_approval' } } })
    await world.clock.advanceTo(world.clock.now() + 3 * HOUR)
    await run()
    t.match(await agent.call('GET', `/approvals/${id}`), { body: { status: 'held' } })
    t.match(await agent.call('DELETE', `/scheduled-posts/${id}`), { status: 204 }, 'it takes back its own')
  })

  await t.test('then it publishes, retries, unpublishes, edits and changes nothing of others', async (t) => {
    const published = idOf(await writer.call('POST', '/posts', content('By a writer')))
    await run()
    for (const [path, body] of [
      ['retry', { platform: 'bluesky' }],
      ['unpublish', {}],
      ['edit', { caption: 'Mine' }],
    ] as const) {
      const answer = await agent.call('POST', `/posts/${published}/${path}`, body)
      t.match(answer, { status: 403, code: 'insufficient_scope', message: /lacks the scope posts:write/ }, path)
    }
    t.match(await agent.call('PUT', '/slots', { timezone: 'UTC', default: [] }), { code: 'insufficient_scope' })
    const theirs = idOf(
      await writer.call('POST', '/posts/scheduled', { ...content('Later'), scheduledFor: inHours(9) }),
    )
    const own = { status: 403, code: 'forbidden', message: /not yours/ }
    t.match(await agent.call('PATCH', `/scheduled-posts/${theirs}`, { caption: 'Mine' }), own)
    t.match(await agent.call('DELETE', `/scheduled-posts/${theirs}`), own)
    const draft = idOf(await writer.call('POST', '/drafts', content('Shared')))
    t.match(await agent.call('PATCH', `/drafts/${draft}`, { caption: 'Mine' }), own)
    t.match(await agent.call('POST', `/drafts/${draft}/publish`), own)
    t.match(await agent.call('DELETE', `/drafts/${draft}`), own)
    t.match(await agent.call('POST', `/drafts/${draft}/preview`), { status: 200, body: { needsApproval: true } })
    t.match(await writer.call('GET', `/scheduled-posts/${theirs}`), { body: { status: 'pending', caption: 'Later' } })
  })

  await t.test('then a stranger to the workspace learns nothing', async (t) => {
    const id = idOf(await agent.call('POST', '/posts', content('Private')))
    const other = await api.key({ scopes: [...PROPOSER], workspaceId: 'ws_other' })
    for (const method of ['GET', 'DELETE']) {
      t.match(await api.call({ method, path: `/v1/scheduled-posts/${id}`, key: other }), { code: 'forbidden' })
    }
  })

  await t.test('when it also has posts:write, then it publishes as before', async (t) => {
    const both = await keyed(['posts:propose', 'posts:write'])
    t.match(await both.call('POST', '/posts', content('Directly')), { status: 202, body: { queued: true } })
  })

  await t.test('when a key is to propose and to decide, then it is not made', async (t) => {
    const body = { scopes: ['posts:propose', 'approvals:decide'] }
    const refused = await page.call({ method: 'POST', path: '/dashboard/api/keys', body })
    t.match(refused, { status: 400, code: 'invalid_request', message: /posts:propose and approvals:decide/ })
    const data = { workspaceId: 'ws_1', label: '', secretHash: '', scopes: [...scopesOf('owner')] }
    t.equal(createApiKey({ status: 'absent' }, data).length, 1, 'with posts:write, it is')
  })
})

t.test('given an agent that may only propose, when it uses the tools, then it sees what people decide', async (t) => {
  const { api, page, run, keyed, content, account } = await given(t)
  const agent = await keyed(PROPOSER)
  const { client, call } = await mcpClient(t, await api.listen(), { key: agent.key, profile: 'tasks' })
  const names = (await client.listTools()).tools.map(({ name }) => name)
  for (const name of ['plan_post', 'publish_plan', 'change_post', 'cancel']) t.ok(names.includes(name), name)
  t.notOk(names.includes('retry_post'))

  const handIn = async (caption: string, when?: string) => {
    const media = [{ url: content('').mediaUrl, type: 'image' }]
    const plan = await call('plan_post', { selections: { bluesky: [account] }, media, caption })
    t.match(plan.answer, { approval: /A person has to approve it/ })
    const { answer } = await call('publish_plan', { planId: plan.answer['planId'], ...(when && { when }) })
    t.match(answer, { status: 'awaiting_approval', next: /A person has to approve it/ })
    return String(answer['postId'])
  }
  const decide = (id: string, decision: string, body: object) =>
    page.call({ method: 'POST', path: `/v1/approvals/${id}/${decision}`, body })

  const rejected = await handIn('Our prices')
  await decide(rejected, 'reject', { comment: 'We do not announce prices.' })
  t.match((await call('read', { id: rejected })).answer, {
    status: 'cancelled',
    approval: { status: 'rejected', said: [{ by: 'ada', decision: 'rejected', text: 'We do not announce prices.' }] },
  })
  t.match((await call('find', { kind: 'approvals', status: 'rejected', author: 'me' })).answer, {
    approvals: [{ id: rejected, status: 'rejected', said: 'We do not announce prices.' }],
  })

  const changed = await handIn('Frehs bread', '2099-05-31T09:00')
  await page.call({ method: 'PATCH', path: `/v1/scheduled-posts/${changed}`, body: { caption: 'Fresh bread' } })
  t.match((await call('read', { id: changed })).answer, {
    caption: 'Fresh bread',
    approval: {
      status: 'awaiting_approval',
      version: 2,
      changes: [{ field: 'caption', before: 'Frehs bread', after: 'Fresh bread' }],
    },
  })
  await decide(changed, 'request-changes', { comment: 'Which one?' })
  t.match((await call('find', { kind: 'approvals', author: 'me' })).answer, {
    count: 1,
    approvals: [{ id: changed, status: 'changes_requested', said: 'Which one?' }],
  })
  t.match((await call('change_post', { id: changed, caption: 'Fresh rye bread' })).answer, {
    approval: { status: 'awaiting_approval' },
  })

  const approved = await handIn('Good morning')
  await decide(approved, 'approve', { version: 1 })
  await run()
  t.match((await call('read', { id: approved })).answer, { status: 'published' })
  t.match((await call('find', { kind: 'approvals', author: 'user_none' })).answer, { count: 0 })
})
