import t, { type Test } from 'tap'
import { scheduleAt } from '../api/v1/posts/new-posts.ts'
import { importPlan } from '../api/v1/scheduled-posts/import-plan.ts'
import { createWorkspace } from '../commands/create-workspace.ts'
import { handle } from '../commands/handle.ts'
import { schedulePost } from '../commands/schedule-post.ts'
import { post, type PostState } from '../domain/post/post.ts'
import { workspace } from '../domain/workspace/workspace.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { projections } from '../projections/models/index.ts'
import { givenApi } from './support/api.ts'
import { ids } from './support/sandbox.ts'
import { causedBy } from './support/world.ts'

const HEADER = 'scheduled_for,accounts,caption,media_urls,alt_texts,hashtags'

async function givenImport(t: Test) {
  const api = await givenApi(t)
  const workspaceId = `ws_${ids.ulid()}`
  await handle(api.world, workspace, workspaceId, causedBy(ids.token()), (state) =>
    createWorkspace(state, { name: 'a' }),
  )
  const key = await api.key({ workspaceId })
  const caughtUp = () => createProjector({ ...api.world, projections, logger: api.logger }).catchUp()
  const call = (method: string, path: string, body?: object, headers = {}) =>
    api.call({ method, path: `/v1${path}`, key, body, headers })
  const account = await api.world.account('x', workspaceId)
  await caughtUp()
  const mediaUrl = `${api.world.sandbox.url}/media/sample.jpg`
  const row = (when: string, caption: string, who = account) => `${when},${who},${caption},${mediaUrl},Bread,rye;oven`
  const send = (rows: readonly string[], more = {}, headers = {}) =>
    call('POST', '/scheduled-posts/import', { csv: [HEADER, ...rows].join('\n'), ...more }, headers)
  const listed = async () => (await call('GET', '/scheduled-posts')).body['scheduledPosts'] as { caption: string }[]
  return { api, workspaceId, caughtUp, call, account, row, send, listed }
}

t.test('given a CSV file', async (t) => {
  const { api, workspaceId, caughtUp, call, row, send, listed, account } = await givenImport(t)
  const good = [row('2031-07-15 09:00', '"Bread, ""fresh"""'), row('2031-07-16T07:00:00Z', 'Rolls')]
  const bad = row('2031-07-17 09:00', 'Buns', 'x:nobody')

  await t.test(
    'when it is only tried, then each row has its time and problems, and nothing is scheduled',
    async (t) => {
      t.match(await send([...good, bad], { dryRun: true, timezone: 'Europe/Berlin' }), {
        status: 200,
        body: {
          scheduled: 0,
          rows: [
            { row: 1, scheduledAtUtc: '2031-07-15T07:00:00.000Z', problems: [] },
            { row: 2, scheduledAtUtc: '2031-07-16T07:00:00.000Z', problems: [] },
            { row: 3, problems: [/x:nobody is not a connected account/] },
          ],
        },
      })
      t.same(await listed(), [])
    },
  )

  await t.test('when a row has a problem, then nothing is scheduled, unless it is to be skipped', async (t) => {
    const details = [{ path: 'csv', message: /^row 3: accounts: x:nobody/ }]
    t.match(await send([...good, bad]), {
      status: 400,
      message: /row 3: accounts: x:nobody .*onInvalid/,
      body: { error: { details } },
    })
    t.same(await listed(), [])
    const answer = await send([...good, bad], { onInvalid: 'skip' }, { 'idempotency-key': 'one' })
    t.match(answer.body, { scheduled: 2, rows: [{ row: 1, id: /^post_/ }, { row: 2, id: /^post_/ }, { row: 3 }] })
    t.match(await listed(), [
      {
        caption: 'Bread, "fresh"',
        hashtags: ['rye', 'oven'],
        media: [{ altText: 'Bread' }],
        selections: { x: [account] },
      },
      { caption: 'Rolls' },
    ])
    await send([...good, bad], { onInvalid: 'skip' }, { 'idempotency-key': 'one' })
    t.equal((await listed()).length, 2)
  })

  await t.test('when only some rows are asked for, then the others do not count', async (t) => {
    const answer = await send([bad, row('2031-08-01 09:00', 'Only this'), bad], { rows: [2] })
    t.match(answer.body, { scheduled: 1, rows: [{ row: 2, id: /^post_/ }] })
    t.equal((await listed()).length, 3)
  })

  await t.test('when a row has no media, then it is a text, which each platform takes or not', async (t) => {
    const instagram = await api.world.account('instagram', workspaceId)
    await caughtUp()
    const text = (who: string, caption: string, more = ',') => `2031-09-01 09:00,${who},${caption},,${more}`
    const rows = [text(account, 'Only words', ',rye'), text(instagram, 'Only words')]
    t.match((await send(rows, { dryRun: true })).body, {
      scheduled: 0,
      rows: [{ problems: { length: 0 } }, { problems: ['Instagram takes no posts of text alone.'] }],
    })
    t.match((await send(rows, { rows: [1] })).body, { scheduled: 1, rows: [{ id: /^post_/, problems: { length: 0 } }] })
    const made = (await listed()).find(({ caption }) => caption.startsWith('Only words'))
    t.match(made, {
      caption: 'Only words\n\n#rye',
      mediaType: 'text',
      media: { length: 0 },
      selections: { x: [account] },
    })
    const csv = `scheduled_for,accounts,caption\n2031-09-02 09:00,${account},No media column`
    t.match((await call('POST', '/scheduled-posts/import', { csv })).body, { scheduled: 1 })

    const refused = [text(account, ''), text(account, 'Words', 'A loaf,')]
    t.match((await send(refused, { dryRun: true })).body, {
      rows: [{ problems: ['caption is required, or media'] }, { problems: ['media_urls is required with alt_texts'] }],
    })
  })

  await t.test('when the file is wrong, then the error says how', async (t) => {
    const wrong = async (csv: string, message: RegExp) =>
      t.match(await call('POST', '/scheduled-posts/import', { csv }), { status: 400, message })
    await wrong('schedule_for,accounts,media_urls\na,b,c', /"schedule_for".*Did you mean scheduled_for/)
    await wrong('scheduled_for,caption\na,b', /column accounts/)
    await wrong('scheduled_for,accounts,media_urls\na,b', /not valid/)
    await wrong('scheduled_for,accounts,media_urls\n', /no rows/)
    await wrong(`scheduled_for,accounts,media_urls\n${'a,b,c\n'.repeat(501)}`, /501 rows/)
  })
})

t.test('given slots, when rows ask for the next one, then each gets its own, as tried before', async (t) => {
  const { call, row, send } = await givenImport(t)
  const daily = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
  await call('PUT', '/slots', { timezone: 'UTC', default: daily.map((day) => ({ day, time: '09:00' })) })
  const [first] = (await call('GET', '/slots/next')).body['slots'] as { scheduledAtUtc: string }[]
  const slotRows = ['Bread', 'Rolls', 'Buns'].map((caption) => row('next-slot', caption))
  const rows = [...slotRows, row(first?.scheduledAtUtc ?? '', 'At a time')]
  const timesOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
    (body['rows'] as { scheduledAtUtc: string }[]).map(({ scheduledAtUtc }) => scheduledAtUtc)

  const tried = timesOf(await send(rows, { dryRun: true }))
  const made = timesOf(await send(rows))

  t.equal(new Set(made).size, 4)
  t.same(made, tried)
  t.same(made.slice(0, 3), made.slice(0, 3).toSorted())
  t.equal(made[3], first?.scheduledAtUtc)
})

t.test('given an import that broke off, when it is repeated, then nothing is scheduled twice', async (t) => {
  const { api, workspaceId, caughtUp, row, listed } = await givenImport(t)
  const { world } = api
  const csv = [HEADER, ...['Bread', 'Rolls', 'Buns'].map((caption) => row('2031-07-15T07:00:00Z', caption))].join('\n')
  const plan = { workspaceId, csv, timezone: 'UTC', onInvalid: 'reject', name: 'one' } as const
  const importing = (rows: number) => {
    let left = rows
    return importPlan(world, plan, ({ id, content, due }) => {
      if (left-- === 0) throw new Error('the process ends here')
      return scheduleAt(world, id, content, due, async (at) => {
        const decision = (state: PostState) => schedulePost(state, content, at, world.clock.now())
        return (await handle(world, post, id, causedBy(id), decision)).state
      })
    })
  }

  for (const rows of [0, 1, 2]) await t.rejects(importing(rows), /ends here/)
  const done = await importing(3)

  t.match(done, [{ row: 1 }, { row: 2 }, { row: 3 }])
  await caughtUp()
  t.same((await listed()).map(({ caption }) => caption).toSorted(), ['Bread', 'Buns', 'Rolls'])
})
