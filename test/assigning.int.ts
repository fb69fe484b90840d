import t, { type Test } from 'tap'
import * as z from 'zod'
import { receiveComment } from '../commands/comment.ts'
import { handle, load } from '../commands/handle.ts'
import { comment, commentStreamId } from '../domain/conversation/comment.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { projections } from '../projections/models/index.ts'
import { rebuild } from '../projections/rebuild/rebuild.ts'
import { isoTime, systemClock as clock } from '../infra/runtime/clock.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { givenApi } from './support/api.ts'
import { givenUser, signIn } from './support/dashboard.ts'
import { until } from './support/service-process.ts'
import { causedBy } from './support/world.ts'

/* Who is to see to a comment. */

const listed = z.object({
  comments: z.array(z.object({ id: z.string(), assignee: z.object({ id: z.string(), name: z.string() }).optional() })),
})

/** A workspace with an owner, an author, a reader, and comments `one` and `two`. */
async function given(t: Test) {
  const api = await givenApi(t)
  const { world } = api
  const ada = await givenUser(api, 'ada')
  const { workspaceId } = ada
  const ben = await givenUser(api, 'ben', workspaceId, 'author')
  const rea = await givenUser(api, 'rea', workspaceId, 'reader')
  const accountId = await world.account('x', workspaceId)
  const platform = 'x' as const
  for (const commentId of ['one', 'two']) {
    const of = { workspaceId, platform, accountId, commentId, kind: 'mention', author: 'fan', text: 'Hello' } as const
    await handle(world, comment, commentStreamId(accountId, commentId), causedBy(commentId), (state) =>
      receiveComment(state, { ...of, createdAt: isoTime(clock.now()), references: {}, replied: false }),
    )
  }
  const page = await signIn(api, 'ada')
  const assign = (assigneeId: unknown, more = {}, by = page) =>
    by.call({
      method: 'POST',
      path: '/v1/comments/assign',
      body: { platform, accountId, commentId: 'one', assigneeId, ...more },
    })
  const assignees = async (query = '', by = page) => {
    const { comments } = listed.parse((await by.call({ path: `/v1/comments${query}` })).body)
    return Object.fromEntries(comments.map(({ id, assignee }) => [id, assignee?.name]))
  }
  await until('the comments', 60_000, async () => (Object.keys(await assignees()).length === 2 ? true : undefined))
  const stream = commentStreamId(accountId, 'one')
  return { api, world, ada, ben, rea, accountId, page, assign, assignees, stream }
}

t.test('given comments of a workspace with several users', async (t) => {
  const { api, world, ada, ben, rea, accountId, page, assign, assignees, stream } = await given(t)
  const bens = await signIn(api, 'ben')

  await t.test('when one is assigned, then it is in the lists of those whom it concerns', async (t) => {
    t.match(await assign(ben.id), { status: 200, body: { id: 'one', assignee: { id: ben.id, name: 'ben' } } })
    t.same(await assignees(), { one: 'ben', two: undefined })
    t.same(await assignees(`?assignee=${ben.id}`), { one: 'ben' })
    t.same(await assignees('?assignee=me'), {})
    t.same(await assignees('?assignee=me', bens), { one: 'ben' })
    t.same(await assignees('?assignee=none'), { two: undefined })
    const events = (await page.call({ path: '/v1/activity' })).text
    t.match(events, /The comment was assigned to ben\./)
  })

  await t.test('when it is assigned to the same user again, then nothing is recorded', async (t) => {
    const count = async () => (await world.db.query('select count(*) from log.events')).rows
    const events = await count()
    t.match(await assign(ben.id), { status: 200, body: { assignee: { id: ben.id } } })
    t.same(await count(), events)
  })

  await t.test('when it is given back, then it is assigned to nobody', async (t) => {
    const answer = await assign(null, {}, bens)
    t.equal(answer.status, 200)
    t.notOk('assignee' in answer.body)
    t.same(await assignees('?assignee=none'), { one: undefined, two: undefined })
  })

  await t.test('when it cannot be assigned so, then the error says why, and nothing changes', async (t) => {
    const stranger = await givenUser(api, 'eve')
    const eves = await signIn(api, 'eve')
    const [asReader, asKey] = [
      await signIn(api, 'rea'),
      await api.key({ workspaceId: ada.workspaceId, scopes: ['comments:read'] }),
    ]
    t.match(await assign(stranger.id), { status: 404, code: 'not_found', message: /^assigneeId: no such user/ })
    t.match(await assign('user_none'), { status: 404, message: /^assigneeId: no such user/ })
    t.match(await assign(rea.id), { status: 409, message: /^assigneeId: the user is a reader, who cannot reply/ })
    t.match(await assign(undefined), { status: 400, message: /assigneeId/ })
    t.match(await assign(''), { status: 400, message: /assigneeId/ })
    t.match(await assign(ben.id, { commentId: 'none' }), { status: 404, message: /No such comment/ })
    t.match(await assign(ben.id, { platform: 'bluesky' }), { status: 404, message: /No such comment/ })
    t.match(await assign(stranger.id, {}, eves), { status: 403 }, 'not in another workspace')
    t.match(await assign(ben.id, {}, asReader), { status: 403, code: 'insufficient_scope' })
    const body = { platform: 'x', accountId, commentId: 'one', assigneeId: ben.id }
    const byKey = await api.call({ method: 'POST', path: '/v1/comments/assign', key: asKey, body })
    t.match(byKey, { status: 403, code: 'insufficient_scope' })
    t.same(await assignees(), { one: undefined, two: undefined })
    t.same(await assignees('', eves), {})
    t.same(await assignees(`?assignee=${stranger.id}`), {}, 'nor can one ask for it')
  })

  await t.test('when several assign it at once, then the last one in the log counts, everywhere', async (t) => {
    const rounds = [ada.id, ben.id, null, ben.id, ada.id, ben.id]
    const answers = await Promise.all(rounds.map((id, at) => assign(id, {}, at % 2 === 0 ? page : bens)))
    t.same(
      answers.map(({ status }) => status),
      rounds.map(() => 200),
    )
    const state = await load(world.log, comment, stream)
    const last = (state.status === 'received' && state.assigneeId) || undefined
    const name = last === undefined ? undefined : last === ada.id ? 'ada' : 'ben'
    t.equal((await assignees())['one'], name)
  })

  await t.test('when the read models are built again, then it is as before', async (t) => {
    await assign(ben.id)
    const { db, log, signals } = world
    const rows = async () => (await db.query('select id, assignee_id from read.comments order by id')).rows
    const before = await rows()
    t.match(
      before,
      before[0].id === stream
        ? [{ assignee_id: ben.id }, { assignee_id: null }]
        : [{ assignee_id: null }, { assignee_id: ben.id }],
    )
    await api.stopProjector()
    const projector = createProjector({ db, log, signals, projections, clock, logger: createLogger('silent') })
    const signal = new AbortController().signal
    await rebuild({ db, log, projector, clock, signal, progress: () => undefined }, projections, {})
    t.same(await rows(), before)
    api.startProjector()
  })

  await t.test('when the user may no longer reply, or has left, then it is assigned to nobody', async (t) => {
    const isNobodys = () =>
      until('it to be assigned to nobody', 60_000, async () =>
        Object.keys(await assignees('?assignee=none')).length === 2 ? true : undefined,
      )
    const change = (role: string) => page.call({ method: 'PATCH', path: `/v1/users/${ben.id}`, body: { role } })
    t.match(await change('reader'), { status: 200 })
    await isNobodys()
    t.same(await assignees(`?assignee=${ben.id}`), {})
    t.match(await change('author'), { status: 200 })
    await until('it to be theirs again', 60_000, async () => ((await assignees())['one'] === 'ben' ? true : undefined))
    t.match(await page.call({ method: 'DELETE', path: `/v1/users/${ben.id}` }), { status: 204 })
    await isNobodys()
    t.same(await assignees(), { one: undefined, two: undefined })
    t.match(await assign(ben.id), { status: 404 })
    t.match(await assign(ada.id), { status: 200, body: { assignee: { name: 'ada' } } })
  })
})
