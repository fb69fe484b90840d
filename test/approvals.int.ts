import t, { type Test } from 'tap'
import fc from 'fast-check'
import * as z from 'zod'
import { approve, comment, reject, requestChanges } from '../commands/approval.ts'
import { receiveComment } from '../commands/comment.ts'
import { createWorkspace } from '../commands/create-workspace.ts'
import { fireSchedule } from '../commands/fire-schedule.ts'
import { handle } from '../commands/handle.ts'
import { editScheduledPost, schedulePost } from '../commands/schedule-post.ts'
import { setApprovalPolicy } from '../commands/set-approval-policy.ts'
import { comment as commentKind, commentStreamId } from '../domain/conversation/comment.ts'
import { Refusal } from '../domain/core/errors.ts'
import type { Actor } from '../domain/core/event.ts'
import { scopesOf, type UserRole } from '../domain/workspace/role.ts'
import type { ApprovalPolicy } from '../domain/workspace/approval-policy.ts'
import { workspace } from '../domain/workspace/workspace.ts'
import { isQueued, post, type PostContent, type PostState } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { dueAtMoment } from '../domain/post/wall-time.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { findApprovalPolicy } from '../projections/models/workspaces.ts'
import { createCursors } from '../api/http/pagination.ts'
import { CURSOR_KEY, givenApi } from './support/api.ts'
import { chatServer } from './support/chat-server.ts'
import { PACE } from './support/comments.ts'
import { givenUser, signIn } from './support/dashboard.ts'
import { dyingLog } from './support/dying-log.ts'
import { until } from './support/service-process.ts'
import { causedBy, GRACE_MS, givenProcess } from './support/world.ts'

/* A second pair of eyes: what needs approval is published once it has it, as it was approved, or not at all. */

const HOUR = 3_600_000
const postsSchema = z.object({ posts: z.array(z.object({ id: z.string() })) })
const approvalsSchema = z.object({ approvals: z.array(z.looseObject({ id: z.string() })) })

async function given(t: Test, policy: ApprovalPolicy = { who: 'authors' }) {
  const api = await givenApi(t)
  const { world } = api
  const setPolicy = async (to: ApprovalPolicy) => {
    const { workspaceId } = world
    await handle(world, workspace, workspaceId, causedBy(JSON.stringify(to)), (state) => [
      ...createWorkspace(state, { name: 'demo' }),
    ])
    await handle(world, workspace, workspaceId, causedBy(`policy ${JSON.stringify(to)}`), (state) =>
      setApprovalPolicy(state, to),
    )
    await until('the policy to be shown', 60_000, async () => {
      const shown = await findApprovalPolicy(world.db, workspaceId)
      return JSON.stringify(shown) === JSON.stringify(to) || undefined
    })
  }
  await setPolicy(policy)
  const keyOf = (role: UserRole) => api.key({ scopes: scopesOf(role) })
  const keys = { author: await keyOf('author'), reviewer: await keyOf('reviewer'), manager: await keyOf('manager') }
  const account = await world.account('x')
  const call = (as: keyof typeof keys, method: string, path: string, body?: object, idempotencyKey?: string) =>
    api.call({
      ...{ method, path: `/v1${path}`, key: keys[as], ...(body && { body }) },
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    })
  const content = (caption: string) => ({
    ...{ mediaUrl: `${world.sandbox.url}/media/sample.jpg`, mediaType: 'image', caption, selections: { x: [account] } },
  })
  const inHours = (hours: number) => isoTime(world.clock.now() + hours * HOUR)
  const live = () => world.sandbox.ledger.posts('x').length
  const service = await givenProcess(world, { pace: PACE })
  const run = async () => {
    while ((await service.step()) > 0);
  }
  const waiting = async (query = '') =>
    approvalsSchema.parse((await call('reviewer', 'GET', `/approvals${query}`)).body).approvals.map(({ id }) => id)
  const idOf = (answer: { readonly body: Readonly<Record<string, unknown>> }) => String(answer.body['id'])
  return { api, world, account, call, content, inHours, live, run, waiting, idOf, setPolicy, service }
}

t.test('given a workspace in which authors need approval', async (t) => {
  const { world, account, call, content, inHours, live, run, waiting, idOf, service } = await given(t)
  const published = async () => postsSchema.parse((await call('author', 'GET', '/posts')).body).posts.length

  await t.test('when an author publishes, then it waits; once approved, it is published once', async (t) => {
    const made = await call('author', 'POST', '/posts', content('Now'))
    const id = idOf(made)
    t.match(made, { status: 202, body: { id, runId: id, queued: false, awaitsApproval: true } })
    await world.clock.advanceTo(world.clock.now() + 48 * HOUR)
    await run()
    t.equal(live(), 0, 'also long after')
    t.same(await waiting(), [id])
    t.match((await call('author', 'GET', `/scheduled-posts/${id}`)).body, {
      status: 'pending',
      approval: { status: 'awaiting_approval', publishes: 'on_approval' },
    })
    const refused = await call('author', 'POST', `/approvals/${id}/approve`, { version: 1 })
    t.match(refused, { status: 403, code: 'insufficient_scope' })
    const approved = await call('reviewer', 'POST', `/approvals/${id}/approve`, { version: 1, comment: 'Good' })
    t.match(approved, {
      status: 200,
      body: { id, status: 'approved', changes: [], remarks: [{ decision: 'approved', text: 'Good' }] },
    })
    await run()
    await call('reviewer', 'POST', `/approvals/${id}/approve`, { version: 1 })
    await run()
    t.equal(live(), 1)
    t.match((await call('author', 'GET', `/posts/${id}`)).body, { status: 'published', origin: 'schedule' })
    t.same(await waiting(), [])
    t.same(await waiting('?status=approved'), [id])
    const { events } = z
      .object({ events: z.array(z.object({ summary: z.string() })) })
      .parse((await call('author', 'GET', `/posts/${id}/events`)).body)
    t.match(
      events.map(({ summary }) => summary),
      [
        /^Written, to be/,
        /^Approval was requested. The post is published as soon/,
        /^Moved to/,
        'Approved: Good.',
        /^Queued/,
      ],
    )
  })

  await t.test('when it is approved in time, then it is published at its time', async (t) => {
    const before = live()
    const made = await call('author', 'POST', '/posts/scheduled', { ...content('At nine'), scheduledFor: inHours(5) })
    const id = idOf(made)
    t.match(made, { status: 201, body: { status: 'pending', approval: { status: 'awaiting_approval' } } })
    await call('reviewer', 'POST', `/approvals/${id}/approve`, { version: 1 })
    await run()
    t.equal(live(), before, 'not before it')
    await world.clock.advanceTo(world.clock.now() + 5 * HOUR)
    await run()
    t.equal(live(), before + 1)
  })

  await t.test('when the approval of a post without a time is taken back at once, then it is held', async (t) => {
    const before = live()
    const id = idOf(await call('author', 'POST', '/posts', content('Taken back')))
    t.match(await call('reviewer', 'POST', `/approvals/${id}/approve`, { version: 1 }), { status: 200 })
    await call('reviewer', 'POST', `/approvals/${id}/request-changes`, { comment: 'Wait' })
    for (let steps = 0; (await service.step()) > 0; steps += 1) {
      if (steps > 20) throw new Error('a worker looks at it again and again')
    }
    t.match((await call('reviewer', 'GET', `/approvals/${id}`)).body, { status: 'held', publishes: 'at_time' })
    t.equal(live(), before)
  })

  await t.test('when its time passes first, then it is held until somebody names another', async (t) => {
    const before = live()
    const id = idOf(await call('author', 'POST', '/posts/scheduled', { ...content('Late'), scheduledFor: inHours(1) }))
    await world.clock.advanceTo(world.clock.now() + HOUR)
    await run()
    t.match((await call('reviewer', 'GET', `/approvals/${id}`)).body, { status: 'held' })
    t.match(await call('reviewer', 'POST', `/approvals/${id}/approve`, { version: 1 }), {
      ...{ status: 409, code: 'failed_precondition', message: /has passed. Set scheduledFor/ },
    })
    await run()
    t.equal(live(), before, 'it is not published late')
    const approval = { version: 1, scheduledFor: 'now' }
    t.match(await call('reviewer', 'POST', `/approvals/${id}/approve`, approval), { body: { status: 'approved' } })
    await run()
    t.equal(live(), before + 1)
  })

  await t.test('when the author moves a held post, then it waits for approval again', async (t) => {
    const id = idOf(await call('author', 'POST', '/posts/scheduled', { ...content('Moved'), scheduledFor: inHours(1) }))
    await world.clock.advanceTo(world.clock.now() + HOUR)
    await run()
    await call('author', 'PATCH', `/scheduled-posts/${id}`, { scheduledFor: inHours(2) })
    t.match((await call('reviewer', 'GET', `/approvals/${id}`)).body, { status: 'awaiting_approval', version: 2 })
    const before = live()
    await call('reviewer', 'POST', `/approvals/${id}/approve`, { version: 2 })
    await world.clock.advanceTo(world.clock.now() + 2 * HOUR)
    await run()
    t.equal(live(), before + 1)
  })

  await t.test('when changes are requested, then the edit shows what differs, and needs approval', async (t) => {
    const body = { ...content('Fresh bred'), scheduledFor: inHours(9) }
    const id = idOf(await call('author', 'POST', '/posts/scheduled', body))
    t.match(
      await call('reviewer', 'POST', `/approvals/${id}/request-changes`, {}),
      { status: 400 },
      'not without words',
    )
    const asked = { comment: 'Spelling' }
    t.match((await call('reviewer', 'POST', `/approvals/${id}/request-changes`, asked)).body, {
      status: 'changes_requested',
    })
    await call('author', 'POST', `/approvals/${id}/comments`, { comment: 'Sorry' })
    await call('author', 'PATCH', `/scheduled-posts/${id}`, { caption: 'Fresh bread' })
    const shown = (await call('reviewer', 'GET', `/approvals/${id}`)).body
    t.match(shown, {
      ...{ status: 'awaiting_approval', version: 2, post: { caption: 'Fresh bread' } },
      remarks: [{ decision: 'changes_requested', text: 'Spelling' }, { text: 'Sorry' }],
    })
    t.same(shown['changes'], [{ field: 'caption', before: 'Fresh bred', after: 'Fresh bread' }])
    t.match(await call('reviewer', 'POST', `/approvals/${id}/approve`, { version: 1 }), {
      ...{ status: 409, message: /at version 2, not 1/ },
    })
    t.match(await call('reviewer', 'POST', `/approvals/${id}/approve`, { version: 2 }), { body: { changes: [] } })
    await call('author', 'PATCH', `/scheduled-posts/${id}`, { caption: 'Stale bread' })
    t.match((await call('reviewer', 'GET', `/approvals/${id}`)).body, { status: 'awaiting_approval', version: 3 })
    await call('manager', 'PATCH', `/scheduled-posts/${id}`, { caption: 'Bread' })
    t.match((await call('reviewer', 'GET', `/approvals/${id}`)).body, { status: 'awaiting_approval', version: 4 })
    const before = live()
    await world.clock.advanceTo(world.clock.now() + 9 * HOUR)
    await run()
    t.equal(live(), before, 'the approval was of another version')
  })

  await t.test('when it is rejected, then it is cancelled for good', async (t) => {
    const id = idOf(await call('author', 'POST', '/posts', content('No')))
    const answer = await call('reviewer', 'POST', `/approvals/${id}/reject`, { comment: 'Off topic' })
    t.match(answer.body, { status: 'rejected', post: { status: 'cancelled' } })
    t.match(await call('reviewer', 'POST', `/approvals/${id}/approve`, { version: 1 }), { status: 409 })
    t.same(await waiting('?status=rejected'), [id])
    const before = live()
    await run()
    t.equal(live(), before)
  })

  await t.test('then every way to publish asks, and none for a manager', async (t) => {
    const saved = idOf(await call('author', 'POST', '/drafts', content('Draft 1')))
    const later = idOf(await call('author', 'POST', '/drafts', content('Draft 2')))
    const earlier = idOf(await call('manager', 'POST', '/posts', content('Earlier')))
    await run()
    const before = live()
    const csv = `scheduled_for,accounts,caption\n${inHours(3)},${account},Row`
    const ways: readonly (readonly [string, object])[] = [
      ['/posts', content('Way 1')],
      ['/posts/scheduled', { ...content('Way 2'), scheduledFor: inHours(3) }],
      ['/posts/chain', { parts: [{ text: 'Way 3' }, { text: 'and more' }], selections: { x: [account] } }],
      ['/posts/chain', { parts: [{ text: 'Way 4' }], selections: { x: [account] }, scheduledFor: inHours(3) }],
      [`/drafts/${saved}/publish`, {}],
      [`/drafts/${later}/schedule`, { scheduledFor: inHours(3) }],
      [`/posts/${earlier}/duplicate`, { caption: 'Way 5' }],
      [`/posts/${earlier}/duplicate`, { caption: 'Way 6', scheduledFor: inHours(3) }],
      ['/scheduled-posts/import', { csv }],
    ]
    const count = (await waiting()).length
    for (const [path, body] of ways) {
      const answer = await call('author', 'POST', path, body)
      t.ok(answer.status < 300, `${path}: ${answer.text}`)
      const says = [answer.body['awaitsApproval'], 'approval' in answer.body, path.includes('import')]
      t.ok(says.some(Boolean), `${path} says so: ${answer.text}`)
    }
    t.equal((await waiting()).length, count + ways.length)
    await world.clock.advanceTo(world.clock.now() + 3 * HOUR)
    await run()
    t.equal(live(), before)
    t.match(await call('author', 'POST', `/posts/${earlier}/edit`, { caption: 'Otherwise' }), {
      ...{ status: 403, message: /^Approval is needed on this account/ },
    })
    t.match(await call('manager', 'POST', '/posts', content('Mine')), { body: { queued: true } })
    t.match(await call('manager', 'POST', '/posts', { ...content('Please look'), requestApproval: true }), {
      body: { queued: false, awaitsApproval: true },
    })
    t.ok((await published()) > 0)
  })

  await t.test('when a request is not valid, then the answer names the field', async (t) => {
    const id = idOf(await call('author', 'POST', '/posts', content('Bad input')))
    const wrong: readonly (readonly [string, object, RegExp])[] = [
      [`/approvals/${id}/approve`, {}, /version/],
      [`/approvals/${id}/approve`, { version: 0 }, /version/],
      [`/approvals/${id}/approve`, { version: 1, scheduledFor: 'tomorrow' }, /scheduledFor must be "now"/],
      [`/approvals/${id}/approve`, { version: 1, scheduledFor: '2001-01-01T00:00:00Z' }, /scheduledFor must be in the/],
      [`/approvals/${id}/approve`, { version: 1, scheduledFor: 'next-slot' }, /slots/],
      [`/approvals/${id}/comments`, { comment: ' ' }, /comment must not be blank/],
      [`/approvals/${id}/reject`, { comment: 'x'.repeat(2001) }, /comment/],
    ]
    for (const [path, body, message] of wrong) {
      t.match(await call('manager', 'POST', path, body), { status: 400, message }, JSON.stringify(body))
    }
    t.match(await call('manager', 'GET', '/approvals?status=open'), { status: 400, message: /status/ })
    const plain = idOf(await call('manager', 'POST', '/posts', content('Without')))
    for (const none of [plain, 'post_none']) {
      t.match(await call('reviewer', 'GET', `/approvals/${none}`), { status: 404 })
      t.match(await call('reviewer', 'POST', `/approvals/${none}/approve`, { version: 1 }), { status: 404 })
    }
  })
})

t.test('given accounts of which one needs approval by everyone', async (t) => {
  const { account, call, content, waiting, idOf, world, run, live, setPolicy } = await given(t, { who: 'nobody' })
  const other = await world.account('x')
  await setPolicy({ who: 'everyone', accountIds: [account] })
  t.match(await call('author', 'POST', '/posts', { ...content('Elsewhere'), selections: { x: [other] } }), {
    body: { queued: true },
  })
  const id = idOf(await call('manager', 'POST', '/posts', content('Mine')))
  t.same(await waiting(), [id])
  await run()
  const before = live()
  t.match(await call('manager', 'POST', `/approvals/${id}/approve`, { version: 1 }), {
    ...{ status: 403, message: /^You cannot approve your own post/ },
  })
  t.match(await call('reviewer', 'POST', `/approvals/${id}/approve`, { version: 1 }), { status: 200 })
  await run()
  t.equal(live(), before + 1)
})

t.test('given a comment on an account that needs approval', async (t) => {
  const { world, call, account, run, setPolicy } = await given(t)
  const written = {
    workspaceId: world.workspaceId,
    platform: 'x',
    accountId: account,
    commentId: '1',
    kind: 'mention',
  } as const
  const received = {
    author: 'Fan',
    text: 'When?',
    createdAt: isoTime(world.clock.now()),
    references: {},
    replied: false,
  }
  await handle(world, commentKind, commentStreamId(account, '1'), causedBy('a comment'), (state) =>
    receiveComment(state, { ...written, ...received }),
  )
  const one = { platform: 'x', accountId: account, commentId: '1', text: 'When?' }
  const pending = async () =>
    z
      .object({ replies: z.array(z.looseObject({ id: z.string(), status: z.string(), draft: z.string() })) })
      .parse((await call('reviewer', 'GET', '/replies/pending')).body).replies
  const shown = () => call('author', 'GET', `/comments/1?accountId=${account}`)
  await until('the comment is shown', 30_000, async () => (await shown()).status === 200 || undefined)
  const answered = await call('author', 'POST', '/comments/reply', { ...one, directText: 'At nine' })
  t.match(answered, { status: 200, body: { status: 'pending', draft: 'At nine' } })
  const [{ id = '' } = {}] = await pending()
  await run()
  t.match(await call('author', 'POST', `/replies/pending/${id}/approve`), {
    status: 403,
    message: /approval of somebody/,
  })
  await setPolicy({ who: 'everyone' })
  await call('manager', 'PATCH', `/replies/pending/${id}`, { text: 'At ten' })
  t.match(await call('manager', 'POST', `/replies/pending/${id}/approve`), { status: 403, message: /your own words/ })
  t.match(await call('reviewer', 'POST', `/replies/pending/${id}/approve`, { editedText: 'At six' }), { status: 403 })
  t.match(await pending(), [{ status: 'pending', draft: 'At ten' }])
  const approved = await call('reviewer', 'POST', `/replies/pending/${id}/approve`)
  t.match(approved, { status: 200, body: { status: 'sending', draft: 'At ten' } })
})

t.test('given people who want to hear of approvals, then each hears what concerns them, once', async (t) => {
  const { world, api, content, inHours, run, idOf } = await given(t)
  const chat = await chatServer(t)
  const { workspaceId } = world
  await givenUser(api, 'ada', workspaceId, 'author')
  await givenUser(api, 'rex', workspaceId, 'reviewer')
  const pages = { ada: await signIn(api, 'ada'), rex: await signIn(api, 'rex') }
  const manager = await signIn(api, (await givenUser(api, 'max', workspaceId, 'manager')).name)
  const topics = ['approval.requested', 'approval.decided', 'post.held']
  for (const name of ['ada', 'rex'] as const) {
    const body = { kind: 'slack', url: `${chat.url}/${name}`, topics }
    t.match(await pages[name].call({ method: 'POST', path: '/dashboard/api/notification-channels', body }), {
      status: 200,
    })
  }
  const hook = { kind: 'slack', url: `${chat.url}/all`, topics }
  t.match(await manager.call({ method: 'POST', path: '/v1/notification-channels', body: hook }), { status: 200 })
  const heard = async () => {
    await run()
    await world.clock.advanceTo(world.clock.now() + HOUR)
    await run()
    const said = chat.got.map(
      ({ path, text }) => `${path.slice(1)}: ${z.object({ text: z.string() }).parse(JSON.parse(text)).text}`,
    )
    chat.got.length = 0
    return said.toSorted()
  }
  const body = { ...content('Bread'), scheduledFor: inHours(4) }
  const id = idOf(await pages.ada.call({ method: 'POST', path: '/v1/posts/scheduled', body }))
  t.match(await heard(), [/^all: .*A post awaits approval/s, /^rex: .*A post awaits approval/s], 'not the author')
  await pages.rex.call({ method: 'POST', path: `/v1/approvals/${id}/request-changes`, body: { comment: 'Too dry' } })
  t.match(await heard(), [/^ada: .*asks for changes to a post: Too dry/s, /^all: /], 'not the reviewer')
  await world.clock.advanceTo(world.clock.now() + 2 * HOUR)
  t.match(await heard(), [/^ada: .*passed before it was approved/s, /^all: /])
  t.same(await heard(), [], 'once')
})

t.test('given a process that dies at any append, when requests are repeated, then it is published once', async (t) => {
  for (const moment of ['before', 'after'] as const) {
    for (let nth = 0; nth < 3; nth += 1) {
      const { api, world, call, content, live, run, idOf } = await given(t)
      const dying = await api.server({
        services: { log: dyingLog(world.log, nth, moment), cursors: createCursors(CURSOR_KEY) },
      })
      const key = await api.key({ scopes: scopesOf('author') })
      const reviewer = await api.key({ scopes: scopesOf('reviewer') })
      const body = content(`dies ${moment} ${nth}`)
      const submit = { method: 'POST', path: '/v1/posts', key, body, headers: { 'idempotency-key': 'submit' } }
      const submitted = await dying.call(submit)
      const id = idOf(submitted.status < 300 ? submitted : await api.call(submit))
      const decide = {
        ...{ method: 'POST', path: `/v1/approvals/${id}/approve`, key: reviewer, body: { version: 1 } },
        headers: { 'idempotency-key': 'approve' },
      }
      const decided = await dying.call(decide)
      await run()
      t.equal(live() > 0, decided.status < 300 || (nth === 1 && moment === 'after'), `${moment} ${nth}`)
      t.match(await api.call(decide), { status: 200, body: { status: 'approved' } })
      await run()
      t.equal(live(), 1, `published once: ${moment} ${nth}`)
      t.match((await call('author', 'GET', `/posts/${id}`)).body, { status: 'published' })
    }
  }
})

t.test(
  'given any course of edits and decisions, then only what was approved is published, and never late',
  async () => {
    const author: Actor = { kind: 'user', id: 'author' }
    const manager: Actor = { kind: 'user', id: 'manager' }
    const what: PostContent = {
      ...{ workspaceId: 'ws', mediaUrl: '', mediaType: 'text', caption: '0', captionOverrides: {}, hashtags: [] },
      selections: { x: ['acc'] },
    }
    const step = fc.oneof(
      fc.record({ kind: fc.constant('edit' as const), asks: fc.boolean() }),
      fc.record({ kind: fc.constant('move' as const), asks: fc.boolean(), inMs: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ kind: fc.constant('approve' as const), isSeen: fc.boolean(), isNow: fc.boolean() }),
      fc.record({ kind: fc.constantFrom('changes' as const, 'comment' as const, 'reject' as const, 'fire' as const) }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 15 }) }),
    )
    fc.assert(
      fc.property(
        fc.constantFrom('at_time' as const, 'on_approval' as const),
        fc.array(step, { maxLength: 25 }),
        (asks, steps) => {
          let state: PostState = post.initial
          let now = Date.parse('2026-06-01T08:00:00.000Z')
          let caption = 0
          /** The caption that somebody who may decide has agreed to. */
          let agreed: string | undefined
          const due = (inMs: number) => dueAtMoment(isoTime(now + inMs), 'UTC')
          const run = (by: Actor, decide: () => readonly PostEvent[]): readonly PostEvent[] => {
            try {
              const events = decide()
              for (const event of events) {
                state = post.evolve(state, event, {
                  ...{ at: isoTime(now), actor: by },
                  ...{ correlationId: '', causationId: '' },
                })
              }
              return events
            } catch (error) {
              if (error instanceof Refusal) return []
              throw error
            }
          }
          run(author, () => schedulePost(state, what, due(10), now, { asks }))
          for (const one of steps) {
            const version = 'approval' in state ? (state.approval?.version ?? 1) : 1
            const isApproved = 'approval' in state && state.approval?.status === 'approved'
            switch (one.kind) {
              case 'edit': {
                const next = String((caption += 1))
                const edit = { content: (before: PostContent) => ({ ...before, caption: next }), asks: one.asks }
                const events = run(one.asks ? author : manager, () => editScheduledPost(state, edit, now))
                if (events.length > 0) agreed = !one.asks && isApproved ? next : undefined
                break
              }
              case 'move': {
                const edit = { time: { scheduledAtUtc: isoTime(now + one.inMs) }, asks: one.asks }
                const events = run(one.asks ? author : manager, () => editScheduledPost(state, edit, now))
                if (events.length > 0 && one.asks) agreed = undefined
                break
              }
              case 'approve': {
                const given = { version: one.isSeen ? version : version + 1, ...(one.isNow && { due: 'now' as const }) }
                const events = run(manager, () => approve(state, given, () => due(0)))
                if (events.length > 0) agreed = 'content' in state ? state.content.caption : agreed
                break
              }
              case 'changes':
                if (run(manager, () => requestChanges(state, 'Again')).length > 0) agreed = undefined
                break
              case 'comment':
                run(author, () => comment(state, 'Why'))
                break
              case 'reject':
                if (run(manager, () => reject(state, undefined)).length > 0) agreed = undefined
                break
              case 'wait':
                now += one.ms
                break
              case 'fire': {
                const planned = 'due' in state && 'content' in state ? Date.parse(state.due.dueAt) : 0
                const events = run(manager, () => fireSchedule(state, now, GRACE_MS))
                if (!events.some(({ type }) => type === 'PostQueued')) break
                if (agreed === undefined || !isQueued(state) || state.caption !== agreed || planned > now) return false
              }
            }
          }
          return true
        },
      ),
      { numRuns: 3_000 },
    )
  },
)
