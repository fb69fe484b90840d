import t, { type Test } from 'tap'
import * as z from 'zod'
import { givenApi, type ApiWorld } from './support/api.ts'
import { givenProcess } from './support/world.ts'

const HOUR = 3_600_000
const listSchema = z.object({
  scheduledPosts: z.array(z.object({ id: z.string(), scheduledAtUtc: z.string() })),
  nextCursor: z.string().nullable(),
})

const aPost = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', selections: { x: ['acc_none'] } }

async function givenScheduling(t: Test) {
  const api = await givenApi(t)
  const key = await api.key()
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    api.call({ method, path: `/v1${path}`, key, body, headers })
  const dateIn = (ms: number) => new Date(api.world.clock.now() + ms).toISOString().slice(0, 10)
  return { api, key, call, dateIn, tomorrow: dateIn(24 * HOUR) }
}

const list = async (api: ApiWorld, key: string, query = '') =>
  listSchema.parse((await api.call({ path: `/v1/scheduled-posts${query}`, key })).body)

t.test('given POST /posts/scheduled', async (t) => {
  const { call, tomorrow, api, key } = await givenScheduling(t)

  await t.test('when a post is scheduled, then it is answered with its moment, and listed at once', async (t) => {
    const content = {
      ...aPost,
      caption: 'Later',
      hashtags: ['one'],
      firstComment: 'First!',
      captionOverrides: { x: 'X' },
    }
    const answer = await call('POST', '/posts/scheduled', { ...content, date: '2031-07-15', timezone: 'Europe/Berlin' })
    t.equal(answer.status, 201)
    const shown = { ...content, status: 'pending', scheduledAtUtc: '2031-07-15T07:00:00.000Z' }
    t.match(answer.body, { summary: { succeeded: 0, failed: 0, pending: 1 } })
    t.match(answer.body, { ...shown, date: '2031-07-15', time: '09:00', timezone: 'Europe/Berlin', createdAt: String })
    const id = String(answer.body['id'])
    t.match((await list(api, key)).scheduledPosts, [{ id }])
    const { requestId: _, ...one } = (await call('GET', `/scheduled-posts/${id}`)).body
    const { requestId: __, createdAt, ...first } = answer.body
    t.match(one, first)
    t.equal(typeof createdAt, 'string')
    t.equal((await call('GET', `/posts/${id}`)).status, 404, 'it is no post yet')
  })

  await t.test('when the same key is used again, then it is the same scheduled post', async (t) => {
    const body = { ...aPost, date: tomorrow, time: '23:59' }
    const before = (await list(api, key)).scheduledPosts.length
    const [first, second] = [
      await call('POST', '/posts/scheduled', body, { 'idempotency-key': 'once' }),
      await call('POST', '/posts/scheduled', body, { 'idempotency-key': 'once' }),
    ]
    t.equal(second.body['id'], first.body['id'])
    t.equal((await list(api, key)).scheduledPosts.length, before + 1)
  })

  await t.test('when a field is wrong, then it is named and nothing is kept', async (t) => {
    const before = (await list(api, key)).scheduledPosts.length
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ date: undefined }, /^date is required/],
      [{ date: '31.12.2031' }, /^date must be a date such as/],
      [{ date: '2031-02-31' }, /^date must .* 2031-02-31 is not one/],
      [{ date: 20311231 }, /^date/],
      [{ time: '9:00' }, /^time must be/],
      [{ time: '25:00' }, /^time must be/],
      [{ timezone: 'Mars/Olympus' }, /^timezone must be an IANA name/],
      [{ timezone: '+02:00' }, /^timezone/],
      [{ date: '2020-01-01' }, /^date and time must be in the future; 2020-01-01T09:00\S+ has passed/],
      [{ mediaType: 'text' }, /^mediaType/],
      [{ selections: {} }, /^selections is required/],
      [{ mediaUrl: 'ftp://example.com/a' }, /^mediaUrl/],
      [
        {
          captionOverrides: Object.fromEntries(['x', 'bluesky', 'threads'].map((name) => [name, '語'.repeat(70_000)])),
        },
        /^captionOverrides is too large to store: .* the limit is 262144$/,
      ],
    ]
    for (const [more, message] of wrong) {
      const answer = await call('POST', '/posts/scheduled', { ...aPost, date: '2031-12-31', ...more })
      t.match(answer, { status: 400, code: 'invalid_request', message }, JSON.stringify(more).slice(0, 100))
    }
    t.equal((await list(api, key)).scheduledPosts.length, before)
  })
})

t.test('given pending posts', async (t) => {
  const { call, api, key } = await givenScheduling(t)
  const schedule = async (date: string, time = '12:00', timezone = 'Europe/Berlin') =>
    String((await call('POST', '/posts/scheduled', { ...aPost, date, time, timezone })).body['id'])
  const [third, first, second] = [
    await schedule('2033-01-01'),
    await schedule('2031-01-01'),
    await schedule('2032-01-01'),
  ]

  await t.test('when they are listed, then soonest first, also over pages while one is put off', async (t) => {
    const page = await list(api, key, '?limit=1')
    t.match(page.scheduledPosts, [{ id: first }])
    const rest = await list(api, key, `?cursor=${page.nextCursor}`)
    t.same(
      rest.scheduledPosts.map(({ id }) => id),
      [second, third],
    )
    t.equal(rest.nextCursor, null)
  })

  await t.test('when one is put off, then by the clocks of its own zone', async (t) => {
    const path = `/scheduled-posts/${first}`
    t.match(await call('PATCH', path, { date: '2031-07-01' }), {
      status: 200,
      body: {
        date: '2031-07-01',
        time: '12:00',
        timezone: 'Europe/Berlin',
        scheduledAtUtc: '2031-07-01T10:00:00.000Z',
      },
    })
    t.match((await call('PATCH', path, { time: '18:30' })).body, { scheduledAtUtc: '2031-07-01T16:30:00.000Z' })
    t.match((await call('PATCH', path, { scheduledAtUtc: '2031-01-31T23:30:00Z' })).body, {
      ...{ date: '2031-02-01', time: '00:30', scheduledAtUtc: '2031-01-31T23:30:00.000Z', status: 'pending' },
    })
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{}, /needs at least one field to change/],
      [{ scheduledAtUtc: '2031-01-01T00:00:00Z', date: '2031-01-01' }, /not several of them/],
      [{ scheduledAtUtc: '2031-01-01' }, /^scheduledAtUtc must be a time in UTC/],
      [{ scheduledAtUtc: '2031-01-01T00:00:00+02:00' }, /^scheduledAtUtc/],
      [{ scheduledAtUtc: '2020-01-01T00:00:00Z' }, /^scheduledAtUtc must be in the future/],
      [{ date: '2031-02-31' }, /^date/],
      [{ time: 'noon' }, /^time/],
      [{ timezone: 'Mars/Olympus' }, /^timezone must be an IANA name/],
      [{ caption: null }, /^caption/],
      [{ selections: {} }, /^selections is required/],
      [{ mediaUrl: 'ftp://example.com/a' }, /^mediaUrl/],
      [{ platformOptions: { pinterest: { board: '1' } } }, /^platformOptions/],
    ]
    for (const [body, message] of wrong) {
      t.match(await call('PATCH', path, body), { status: 400, message }, JSON.stringify(body))
    }
    t.match((await call('GET', path)).body, { scheduledAtUtc: '2031-01-31T23:30:00.000Z' }, 'nothing has changed it')
  })

  await t.test('when one is edited, then it is published so, and its history shows what it was', async (t) => {
    const path = `/scheduled-posts/${first}`
    const before = (await call('GET', path)).body
    await api.world.clock.advanceTo(api.world.clock.now() + 1_000)
    const at = new Date(api.world.clock.now()).toISOString()
    await api.world.clock.advanceTo(api.world.clock.now() + 1_000)
    const edit = {
      ...{ mediaUrl: 'https://example.com/b.mp4', mediaType: 'video', caption: 'Edited', hashtags: ['two'] },
      ...{ captionOverrides: { x: 'For X' }, selections: { bluesky: ['acc_none'] }, firstComment: 'First!' },
      ...{ platformOptions: { pinterest: { boardId: '5' } }, timezone: 'UTC', time: '08:00' },
    }
    const edited = await call('PATCH', path, edit)
    t.match(edited, { status: 200, body: { ...edit, scheduledAtUtc: '2031-02-01T08:00:00.000Z' } })
    const { requestId: _, ...shown } = edited.body
    t.match((await call('GET', path)).body, shown)
    t.match(await call('GET', `${path}?at=${at}`), { status: 200, body: { ...before, requestId: String } })

    const removed = (await call('PATCH', path, { firstComment: null, platformOptions: null, caption: '' })).body
    t.match(removed, { caption: '', hashtags: ['two'], scheduledAtUtc: '2031-02-01T08:00:00.000Z' })
    t.notOk('firstComment' in removed || 'platformOptions' in removed)
    const { events } = z
      .object({ events: z.array(z.object({ type: z.string() })) })
      .parse((await call('GET', `/posts/${first}/events`)).body)
    t.same(
      events.slice(-3).map(({ type }) => type),
      ['PostEdited', 'PostRescheduled', 'PostEdited'],
    )
  })

  await t.test('when one is canceled, then it disappears from the list and can no longer be changed', async (t) => {
    const path = `/scheduled-posts/${second}`
    t.equal((await call('DELETE', path)).status, 204)
    t.notOk((await list(api, key)).scheduledPosts.some(({ id }) => id === second))
    t.match(await call('GET', path), { status: 200, body: { status: 'cancelled' } })
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { date: '2034-01-01' }],
    ] as const) {
      t.match(await call(method, path, body), { status: 409, code: 'failed_precondition', message: /was cancelled/ })
    }
  })

  await t.test('when its time has come, then it is a post, and can no longer be changed', async (t) => {
    const path = `/scheduled-posts/${third}`
    await api.world.clock.advanceTo(Date.parse('2033-01-01T11:00:00Z'))
    await (await givenProcess(api.world)).drain()
    t.match((await call('GET', `/posts/${third}`)).body, { status: 'publish_failed', origin: 'schedule' })
    const edited = { caption: '', mediaUrl: 'https://example.com/b.mp4', selections: { bluesky: ['acc_none'] } }
    t.match((await call('GET', `/posts/${first}`)).body, { ...edited, origin: 'schedule' })
    t.match((await call('GET', path)).body, { status: 'failed', reason: /No connected account was found/ })
    t.match(await call('PATCH', path, { caption: 'Later' }), {
      status: 409,
      message: /Too late: the post is already being published/,
    })
    t.match(await call('DELETE', path), { status: 409 })
  })

  await t.test('when it is not there, or no scheduled post, then it is not found', async (t) => {
    const now = String((await call('POST', '/posts', aPost)).body['id'])
    for (const id of ['post_none', now]) {
      for (const method of ['GET', 'DELETE'] as const) {
        t.match(await call(method, `/scheduled-posts/${id}`), { status: 404, code: 'not_found' })
      }
      t.match(await call('PATCH', `/scheduled-posts/${id}`, { date: '2035-01-01' }), { status: 404 })
    }
  })
})

t.test('given a read model that is behind, when a post is rescheduled, then the response is up to date', async (t) => {
  const { call, api } = await givenScheduling(t)
  const content = { ...aPost, firstComment: 'First!', hashtags: ['one'] }
  const before = (await call('POST', '/posts/scheduled', { ...content, date: '2031-07-15' })).body
  const path = `/scheduled-posts/${String(before['id'])}`
  const { createdAt } = (await call('GET', path)).body
  await api.stopProjector()
  const { status, body } = await call('PATCH', path, { date: '2032-07-15', time: '18:30' })
  const time = { date: '2032-07-15', time: '18:30', scheduledAtUtc: '2032-07-15T18:30:00.000Z' }
  t.equal(status, 200)
  t.same({ ...body, requestId: '' }, { ...before, ...time, createdAt, requestId: '' })
})
