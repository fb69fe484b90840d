import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import * as z from 'zod'
import { routeTable } from '../api/v1/routes.ts'
import { TASKS } from '../api/mcp/tasks/task-profile.ts'
import { setApprovalPolicy } from '../commands/set-approval-policy.ts'
import { createWorkspace } from '../commands/create-workspace.ts'
import { handle } from '../commands/handle.ts'
import { scopesOf } from '../domain/workspace/role.ts'
import { workspace } from '../domain/workspace/workspace.ts'
import { findApprovalPolicy } from '../projections/models/workspaces.ts'
import type { PreviewPost } from '../domain/post/post-preview.ts'
import { SCOPES, type Scope } from '../domain/core/scope.ts'
import { givenApi, idleServices } from './support/api.ts'
import { givenInbox, MINUTE, PACE, pass } from './support/comments.ts'
import { eightTasks, play, type Played } from './support/eight-tasks.ts'
import { GENERATIONS, mcpClient, type Generation } from './support/mcp.ts'
import { movableClock } from './support/movable-clock.ts'
import { until } from './support/service-process.ts'
import { tokensIn } from './support/tokens.ts'
import { causedBy, givenProcess } from './support/world.ts'

const MOST_TOOLS = 12
const MOST_LISTED_TOKENS = 4_000
const MOST_ANSWER_TOKENS = 700
const MOST_SKILL_TOKENS = 1_600
const SKILL = fileURLToPath(new URL('../docs/skills/fanfare/SKILL.md', import.meta.url))
const skillSchema = z.object({ name: z.string(), description: z.string(), compatibility: z.string() })
const GENERATION_NAMES = Object.keys(GENERATIONS) as Generation[]

t.test('given the tools of the default profile', async (t) => {
  const api = await givenApi(t)
  const port = await api.listen()

  for (const generation of GENERATION_NAMES) {
    await t.test(`when a client ${generation} lists them, then they are few, short, and speak of tools`, async (t) => {
      const { client } = await mcpClient(t, port, { key: await api.key(), generation, profile: 'tasks' })
      const { tools } = await client.listTools()
      t.same(
        tools.map(({ name }) => name),
        TASKS.map(({ name }) => name),
      )
      t.ok(tools.length <= MOST_TOOLS, `${tools.length} tools`)
      const tokens = tokensIn(JSON.stringify(tools) + (client.getInstructions() ?? ''))
      t.ok(tokens <= MOST_LISTED_TOKENS, `${tokens} tokens`)
      for (const { name, description = '' } of tools) {
        t.match(name, /^[a-z]+(_[a-z]+)*$/)
        t.notMatch(description, /\b(GET|POST|PATCH|DELETE|\/v1)\b|\b[45]\d\d\b/, name)
      }
    })
  }

  await t.test('then what each of them calls is an endpoint', async (t) => {
    const known = new Set(routeTable(idleServices(api.world)).map(({ operationId }) => operationId))
    for (const { name, uses, needs = [] } of TASKS)
      for (const used of [...uses, ...needs]) t.ok(known.has(used), `${name} calls ${used}`)
  })

  await t.test('then the skill for coding agents calls what there is, as it takes it', async (t) => {
    const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(await readFile(SKILL, 'utf8')) ?? []
    const { name, description, compatibility } = skillSchema.parse(parse(head))
    t.equal(name, basename(dirname(SKILL)))
    t.ok(description.length <= 1_024 && compatibility.length <= 500)
    t.ok(tokensIn(body) <= MOST_SKILL_TOKENS, `${tokensIn(body)} tokens`)
    const quoted = [...body.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
    const called = new Set<string>()
    for (const text of quoted) {
      const [, tool = '', args] = /^([a-z_]+) (\{.*\})$/.exec(text) ?? []
      if (args === undefined) continue
      called.add(tool)
      const { input } = TASKS.find((task) => task.name === tool) ?? {}
      const given = JSON.parse(args) as object
      const taken = input?.safeParse(given)
      t.match(taken, { success: true }, text)
      const lost = Object.keys(given).filter((field) => !Object.hasOwn(Object(taken?.data) as object, field))
      t.same(lost, [], text)
    }
    t.ok(called.size >= 8)
    const routes = routeTable(idleServices(api.world)).map(({ method, path }) => `${method} /v1${path}`)
    const endpoints = quoted.filter((text) => /^(GET|POST) /.test(text))
    t.same(
      endpoints.filter((text) => !routes.includes(text)),
      [],
    )
    const commands = quoted.flatMap((text) => /^npx (fanfare [a-z]+(?: [a-z]+)?)/.exec(text)?.[1] ?? [])
    const known = await readFile(new URL('../docs/cli.md', import.meta.url), 'utf8')
    t.same(commands, ['fanfare mcp', 'fanfare keys create'])
    t.ok(commands.every((command) => known.includes(`\`${command}`)))
  })

  await t.test('when a key has some scopes, then only the tools are there that they allow', async (t) => {
    const listed = async (...scopes: Scope[]) => {
      const { client, call } = await mcpClient(t, port, { key: await api.key({ scopes }), profile: 'tasks' })
      return { call, names: (await client.listTools()).tools.map(({ name }) => name) }
    }
    const reader = await listed('posts:read')
    t.same(reader.names, ['overview', 'find', 'read'])
    t.match((await reader.call('plan_post', { caption: 'Hi' })).error, {
      code: 'insufficient_scope',
      message: /lacks the scope posts:write/,
    })
    t.match((await reader.call('overview')).answer, { waiting: { approvals: 0 }, accounts: undefined })
    t.same((await listed('analytics:read')).names, ['insights'])
    t.same((await listed('videos:write')).names, [])
    t.equal((await listed(...SCOPES)).names.length, TASKS.length)
  })
})

/** A team with accounts, posts, and comments that nobody has answered. */
async function givenDesk(t: Test) {
  const api = await givenApi(t)
  const port = await api.listen()
  const { workspaceId } = api.world
  await handle(api.world, workspace, workspaceId, causedBy(workspaceId), (state) =>
    createWorkspace(state, { name: 'demo' }),
  )
  const key = await api.key()
  const service = await givenProcess(api.world, { pace: PACE })
  const inbox = await givenInbox(api.world, 'bluesky', service)
  const facebook = await api.world.account('facebook')
  await api.world.account('x')
  const mediaUrl = `${api.world.sandbox.url}/media/sample.jpg`
  const call = (method: string, path: string, body?: object) =>
    api.call({ method, path: `/v1${path}`, key, ...(body && { body }) })
  await call('PUT', '/slots', { timezone: 'Europe/Berlin', default: [{ day: 'monday', time: '09:00' }] })
  const words = 'The oven is warm, the dough has rested, and the first loaves of the day are on the shelf.'
  for (let day = 10; day < 22; day += 1) {
    const selections = day % 3 === 0 ? { facebook: ['acc_gone'] } : { facebook: [facebook] }
    const content = { mediaUrl, mediaType: 'image', hashtags: ['bread', 'bakery'] }
    await call('POST', '/posts', { ...content, selections, caption: `Day ${day}. ${words}` })
    const both = { facebook: [facebook], bluesky: [inbox.accountId] }
    await call('POST', '/posts/scheduled', {
      ...content,
      selections: both,
      caption: `On ${day}. ${words}`,
      date: `2099-05-${day}`,
    })
    await inbox.comment(
      `Question ${day}: when do you open, and do you have the dark rye bread of last week?`,
      `Fan ${day}`,
    )
  }
  const work = async (minutes = 1) => pass(api.world, service, minutes * MINUTE)
  await work(31)
  return { api, port, key, inbox, facebook, mediaUrl, call, work, accounts: { facebook, bluesky: inbox.accountId } }
}

t.test(
  'given eight tasks of a team, when each profile is used for them, then the default one takes far less',
  async (t) => {
    const totals = { tasks: { calls: 0, tokens: 0 }, full: { calls: 0, tokens: 0 } }
    for (const profile of ['tasks', 'full'] as const) {
      const desk = await givenDesk(t)
      const client = await mcpClient(t, desk.port, { key: desk.key, profile })
      const { tools } = await client.client.listTools()
      totals[profile].tokens = tokensIn(JSON.stringify(tools) + (client.client.getInstructions() ?? ''))
      t.comment(profile, 'list', tools.length, totals[profile].tokens)
      for (const [name, steps] of Object.entries(eightTasks(desk))) {
        const played: Played = await play(steps[profile], client, () => desk.work())
        t.comment(profile, name, played)
        totals[profile].calls += played.calls
        totals[profile].tokens += played.tokens
        if (profile === 'tasks') t.ok(played.longest <= MOST_ANSWER_TOKENS, `${name}: ${played.longest} tokens`)
      }
    }
    t.comment(totals)
    t.ok(totals.tasks.calls <= totals.full.calls, `${totals.tasks.calls} calls, not ${totals.full.calls}`)
    t.ok(totals.tasks.tokens * 5 < totals.full.tokens, `${totals.tasks.tokens} tokens, not ${totals.full.tokens}`)
  },
)

t.test('given an agent with the tools', async (t) => {
  const desk = await givenDesk(t)
  const { api, port, key, facebook, inbox, mediaUrl, work } = desk
  const { call } = await mcpClient(t, port, { key, profile: 'tasks' })
  const selections = { facebook: [facebook] }
  const media = [{ url: mediaUrl, type: 'image' }]
  const plan = async (given: object) => (await call('plan_post', { selections, media, ...given })).answer
  const postCount = async () => Number((await api.world.db.query('select 1 from read.posts')).rowCount)

  await t.test('when a plan is published again, then it is the same post, with its time in the zone', async (t) => {
    const before = await postCount()
    const { planId } = await plan({ caption: 'Planned once' })
    const first = (await call('publish_plan', { planId })).answer
    await work()
    t.match(first, { postId: /^post_/, status: 'publishing', zone: 'Europe/Berlin', now: /\+0[12]:00$/ })
    t.equal((await call('publish_plan', { planId, when: '2099-01-01T09:00' })).answer['postId'], first['postId'])
    t.equal((await postCount()) - before, 1)
    t.match((await call('read', { id: first['postId'] })).answer, {
      status: 'published',
      results: [{ platform: 'facebook', ok: true, url: /\/posts\/facebook\// }],
    })
    const same = await plan({ caption: 'Planned once' })
    const twice = await call('publish_plan', { planId: same['planId'], allowDuplicate: false })
    t.match(twice.error, { code: 'failed_precondition', message: /Set allowDuplicate to true/ })
  })

  await t.test('when the draft is changed after the plan, then only a new plan can be published', async (t) => {
    const { planId, draftId } = await plan({ caption: 'First words' })
    await call('plan_post', { draftId, caption: 'Other words' })
    t.match((await call('publish_plan', { planId })).error, {
      code: 'failed_precondition',
      message: 'The draft is not as it was planned. plan_post plans it again.',
    })
    t.match((await call('publish_plan', { planId: 'plan_1' })).error, { message: /^planId must be the id of a plan/ })
    t.match((await call('cancel', { id: draftId })).answer, { id: draftId, status: 'deleted' })
    t.match((await call('publish_plan', { planId })).error, { code: 'not_found' })
  })

  await t.test('when something is missing or wrong, then the plan says so, and can be completed', async (t) => {
    const { answer } = await call('plan_post', { caption: 'Where to?' })
    t.match(answer, { draftId: /^draft_/, problems: [/^selections is required/], planId: undefined })
    const { planId } = (
      await call('plan_post', { draftId: answer['draftId'], selections: { x: [await api.world.account('x')] } })
    ).answer
    t.match(planId, /^plan_/)
    t.match((await call('plan_post', { selections: { myspace: ['acc_1'] } })).error, {
      code: 'invalid_request',
      message: /^selections must name platforms: instagram, /,
    })
  })

  await t.test('when it is scheduled, then at the local time, and can be moved, changed and cancelled', async (t) => {
    const { planId } = await plan({ caption: 'For summer' })
    const late = (await call('publish_plan', { planId, when: '2020-01-01T09:00Z' })).error
    t.match(late, { message: /^when must be in the future/ })
    t.match((await call('publish_plan', { planId, when: 'tomorrow' })).error, {
      message: /^when must be "next-slot" or/,
    })
    const { postId: id, at } = (await call('publish_plan', { planId, when: '2099-07-01T09:00' })).answer
    t.equal(at, '2099-07-01T09:00')
    t.match((await call('change_post', { id, when: '2099-12-01T09:00:00Z', caption: 'For winter' })).answer, {
      ...{ id, status: 'scheduled', at: '2099-12-01T10:00', caption: 'For winter' },
    })
    const between = { kind: 'scheduled', from: '2099-12-01', to: '2099-12-01T10:01' }
    t.match((await call('find', between)).answer, { count: 1, scheduled: [{ id, text: 'For winter' }] })
    t.match((await call('read', { id })).answer, { id, status: 'scheduled' })
    t.match((await call('cancel', { id })).answer, { status: 'cancelled' })
    t.match((await call('find', between)).answer, { count: 0, scheduled: undefined })
    const slot = await call('publish_plan', {
      planId: (await plan({ caption: 'At a slot' }))['planId'],
      when: 'next-slot',
    })
    t.match(slot.answer, { status: 'scheduled', at: /T09:00$/ })
  })

  await t.test('when a post is out, then it can be changed, retried, measured and deleted', async (t) => {
    const { postId: id } = (await call('publish_plan', { planId: (await plan({ caption: 'Out' }))['planId'] })).answer
    await work()
    t.match((await call('change_post', { id, caption: 'Out now' })).answer, { id, caption: 'Out now' })
    t.match((await call('change_post', { id, when: '2099-07-01T09:00' })).error, { message: /published already/ })
    t.match((await call('retry_post', { id })).error, { message: 'The post has not failed on any account.' })
    t.match((await call('insights', { postId: id })).answer, { note: /None of its platforms/ })
    t.match((await call('insights', { accountId: inbox.accountId })).answer, { totals: Object, basedOn: 'general' })
    await work()
    t.match(
      (await call('cancel', { id })).error,
      { message: /^No such scheduled post.*pass unpublish/ },
      'not by accident',
    )
    t.match((await call('cancel', { id, unpublish: true })).answer, {
      results: [{ unpublish: { status: 'in_progress' } }],
    })
    const failed = (await call('find', { kind: 'posts', status: 'publish_failed', limit: 1 })).answer['posts']
    t.match((await call('retry_post', { id: Object(failed)[0].id })).answer, { status: 'processing' })
  })

  await t.test('when there are comments, then each is answered, sent for review or dismissed by its id', async (t) => {
    const open = Object((await call('find', { kind: 'comments' })).answer['comments'])
    const [first, second, third] = [open[0], open[1], open[2]].map(({ commentId }) => commentId as string)
    t.match((await call('read', { id: first })).answer, { id: first, accountId: inbox.accountId })
    t.match((await call('reply', { commentId: first, text: 'At nine.' })).answer, { status: 'sending' })
    await work()
    t.match(await inbox.answers(), [{ text: /At nine/ }])
    t.match((await call('reply', { commentId: first, text: 'At ten.' })).error, { message: /already has a reply/ })
    const { id } = (await call('reply', { commentId: second, text: 'At ten.', review: true })).answer
    t.match((await call('find', { kind: 'replies' })).answer, { count: 1, replies: [{ id, text: 'At ten.' }] })
    t.match((await call('review', { id, decision: 'reject' })).answer, { id, status: 'rejected' })
    t.match((await call('reply', { commentId: third, dismiss: true })).answer, { dismissed: true })
    t.match((await call('find', { kind: 'comments', status: 'dismissed' })).answer, {
      comments: [{ commentId: third }],
    })
    t.match((await call('find', { kind: 'comments', status: 'new' })).error, { message: /^status must be one of open/ })
    t.match((await call('read', { id: 'nothing' })).error, { code: 'not_found' })
  })

  await t.test(
    'when it uploads a file or names what there is not, then it is told in words of the tools',
    async (t) => {
      const file = { fileName: 'a.jpg', contentType: 'image/jpeg', sizeBytes: 10 }
      const { id, uploadUrl, mediaUrl } = (await call('upload', file)).answer
      t.match({ uploadUrl, mediaUrl }, { uploadUrl: /^https/, mediaUrl: /^https/ })
      t.match((await call('find', { kind: 'media' })).answer, { media: [{ id, status: 'uploading' }] })
      t.match((await call('read', { id })).answer, { fileName: 'a.jpg' })
      t.match((await call('cancel', { id })).answer, { status: 'deleted' })
      t.match((await call('read', { id: facebook })).answer, { platform: 'facebook', status: 'ready' })
      t.match((await call('find', { kind: 'accounts', platform: 'x' })).answer, { accounts: [{ platform: 'x' }] })
      t.match((await call('listPosts')).error, { message: /^No such tool. There are overview, find/ })
      t.match((await call('find', { kind: 'posts', text: 'a' })).error, { message: /^text is not an argument of find/ })
      t.match((await call('find', { kind: 'drafts', q: 'a' })).error, {
        message: 'q is not an argument of find with kind drafts: it takes limit, cursor',
      })
    },
  )
})

t.test(
  'given platforms that charge or are not ready, then a plan says what it costs and what may go wrong',
  async (t) => {
    const api = await givenApi(t)
    const previewPost: PreviewPost = async () => [
      {
        platform: 'x',
        accountId: 'acc_1',
        caption: 'Hi',
        problems: [],
        details: [],
        warnings: [],
        cost: { usd: 0.2, kind: 'post', asOf: '' },
      },
      {
        platform: 'x',
        accountId: 'acc_2',
        caption: 'Hi',
        problems: [],
        details: [],
        warnings: [],
        cost: { usd: 0.1, kind: 'post', asOf: '' },
      },
      {
        ...{
          platform: 'bluesky',
          accountId: 'acc_3',
          caption: 'Hi!',
          problems: [],
          details: [],
          warnings: ['It may be cut.'],
        },
        token: { status: 'needs_reauth', reason: 'The password was changed.' },
      },
    ]
    const server = await api.server({ services: { previewPost } })
    const { call } = await mcpClient(t, await server.listen(), { key: await api.key(), profile: 'tasks' })
    const selections = { x: ['acc_1', 'acc_2'], bluesky: ['acc_3'] }
    const { answer } = await call('plan_post', { selections, caption: 'Hi' })
    t.match(answer, {
      planId: /^plan_/,
      costUsd: 0.3,
      accounts: [
        { accountId: 'acc_1', text: 'Hi', costUsd: 0.2 },
        { accountId: 'acc_2', text: undefined },
        { text: 'Hi!', risks: ['It may be cut.', 'The password was changed.'] },
      ],
    })
    t.match((await call('publish_plan', { planId: answer['planId'], when: 'next-slot' })).error, {
      message: 'when is "next-slot", but there are no slots. Set them with the dashboard.',
    })
  },
)

t.test('given a workspace that asks for approval, then an agent hands in, and a person decides', async (t) => {
  const desk = await givenDesk(t)
  const { api, port, facebook, mediaUrl, work } = desk
  const { workspaceId } = api.world
  await handle(api.world, workspace, workspaceId, causedBy('policy'), (state) =>
    setApprovalPolicy(state, { who: 'authors' }),
  )
  await until('the policy to be shown', 60_000, () => findApprovalPolicy(api.world.db, workspaceId))
  const toolsOf = async (role: 'author' | 'manager') =>
    (await mcpClient(t, port, { key: await api.key({ scopes: scopesOf(role) }), profile: 'tasks' })).call
  const [agent, manager] = [await toolsOf('author'), await toolsOf('manager')]

  const content = { selections: { facebook: [facebook] }, media: [{ url: mediaUrl, type: 'image' }], caption: 'May I?' }
  const { planId, approval } = (await agent('plan_post', content)).answer
  t.match(approval, /A person has to approve it/)
  const { postId: id, ...handedIn } = (await agent('publish_plan', { planId })).answer
  t.match(handedIn, { status: 'awaiting_approval', next: /A person has to approve it/ })
  t.match((await agent('review', { id, decision: 'approve', version: 1 })).error, { code: 'insufficient_scope' })
  t.match((await manager('review', { id, decision: 'approve' })).error, { message: 'version is required' })
  t.match((await manager('review', { id, decision: 'request_changes' })).error, { message: 'text is required' })
  t.match((await manager('find', { kind: 'approvals' })).answer, { approvals: [{ id, version: 1, text: 'May I?' }] })
  t.match((await manager('review', { id, decision: 'approve', version: 1 })).answer, { status: 'approved' })
  await work()
  t.match((await agent('read', { id })).answer, { status: 'published' })
})

t.test('given a host that shows prompts and resources, then they are what the tools answer', async (t) => {
  const desk = await givenDesk(t)
  for (const generation of GENERATION_NAMES) {
    const { client } = await mcpClient(t, desk.port, { key: desk.key, profile: 'tasks', generation })
    const { prompts } = await client.listPrompts()
    t.same(
      prompts.map(({ name }) => name),
      ['plan_week', 'answer_comments'],
    )
    const { messages } = await client.getPrompt({ name: 'plan_week', arguments: { about: 'rye bread' } })
    t.match(messages, [{ role: 'user', content: { text: /about: rye bread\n.*plan_post/s } }])
    await t.rejects(client.getPrompt({ name: 'none' }), { message: /No such prompt/ })
    const { resources } = await client.listResources()
    const read = async (uri: string) => JSON.stringify(await client.readResource({ uri }))
    t.match(await Promise.all(resources.map(({ uri }) => read(uri))), [/"count\\":0/, /Question 21/])
    await t.rejects(read('fanfare://none'))
  }
  const key = await desk.api.key({ scopes: ['analytics:read'] })
  const { client } = await mcpClient(t, desk.port, { key, profile: 'tasks' })
  t.same((await client.listResources()).resources, [])
})

t.test('given a caller over its limit, then a tool tells it how long to wait', async (t) => {
  const clock = movableClock({ standingAt: Date.UTC(2026, 5, 1) })
  const api = await givenApi(t, { clock, limits: { perMinute: 3, perDay: 1_000 } })
  const { call, client } = await mcpClient(t, await api.listen(), { key: await api.key(), profile: 'tasks' })
  const answers = [await call('overview'), await call('overview'), await call('overview')]
  t.match(answers.at(-1)?.error, { code: 'rate_limit_exceeded', retryAfterS: 60, message: /Try again in 60 s/ })
  await t.rejects(client.readResource({ uri: 'fanfare://calendar/week' }), { message: /Too many requests/ })
})
