import t, { type Test } from 'tap'
import * as z from 'zod'
import { createCursors } from '../api/http/pagination.ts'
import { CURSOR_KEY, givenApi, type ApiWorld } from './support/api.ts'
import { movableClock } from './support/movable-clock.ts'
import { givenProcess } from './support/world.ts'

const START = Date.UTC(2026, 0, 15, 12, 0, 10)

const pageSchema = z.object({
  posts: z.array(z.object({ id: z.string(), createdAt: z.string(), caption: z.string() })),
  nextCursor: z.string().nullable(),
})
type Page = z.infer<typeof pageSchema>

async function page(t: Test, api: ApiWorld, key: string, query = ''): Promise<Page> {
  const { status, body } = await api.call({ path: `/v1/posts${query}`, key })
  t.equal(status, 200, query)
  return pageSchema.parse(body)
}

/** Queues posts in pairs that share their time, so that only the id tells them apart. */
async function queued(api: ApiWorld, count: number, workspaceId = api.world.workspaceId): Promise<string[]> {
  const service = await givenProcess(api.world)
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) {
    if (i % 2 === 0) await api.world.clock.advanceTo(api.world.clock.now() + 1)
    ids.push(await service.queue({ selections: { x: ['acc_1'] }, caption: `${i}`, workspaceId }))
  }
  await service.step()
  return ids
}

t.test('given 30 posts, two in each millisecond', async (t) => {
  const api = await givenApi(t, { clock: movableClock({ standingAt: START }), projecting: false })
  const key = await api.key()
  const ids = await queued(api, 30)

  await t.test('when no limit is given, then there are 25, newest first', async (t) => {
    const { posts, nextCursor } = await page(t, api, key)
    t.equal(posts.length, 25)
    t.type(nextCursor, 'string')
    const order = posts.map(({ createdAt, id }) => `${createdAt} ${id}`)
    t.same(order, [...order].sort().reverse())
    t.match(posts[0]?.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  for (const limit of [1, 2, 7, 10, 15, 29, 30, 31, 100]) {
    await t.test(`when pages of ${limit} are turned while posts come in, then each old one is seen once`, async (t) => {
      const known = (await page(t, api, key, '?limit=100')).posts.map(({ id }) => id)
      const seen: string[] = []
      let cursor: string | null = null
      let pages = 0
      do {
        const query: string =
          cursor === null ? `?limit=${limit}` : `?limit=${limit}&cursor=${encodeURIComponent(cursor)}`
        const { posts, nextCursor }: Page = await page(t, api, key, query)
        t.ok(posts.length === limit || nextCursor === null, 'only the last page is short')
        seen.push(...posts.map(({ id }) => id))
        cursor = nextCursor
        pages += 1
        if (pages === 2) await queued(api, 3)
      } while (cursor !== null)
      t.same(seen, known)
      t.equal(pages, Math.ceil(known.length / limit), 'and no empty page comes at the end')
    })
  }

  await t.test('when the limit is not from 1 to 100, then 400 names it', async (t) => {
    for (const limit of [
      '0',
      '101',
      '-1',
      '1.5',
      'abc',
      '',
      '%205',
      '1e1',
      '0x10',
      '999999999999',
      '١',
      '10&limit=20',
    ]) {
      const { status, code, message } = await api.call({ path: `/v1/posts?limit=${limit}`, key })
      t.same([status, code], [400, 'invalid_request'], limit)
      t.match(message, /^limit/)
    }
  })

  await t.test('when the cursor is not one of ours, then 400', async (t) => {
    const { nextCursor } = await page(t, api, key, '?limit=1')
    const cursor = nextCursor ?? ''
    const cursors = createCursors(CURSOR_KEY)
    const foreign = createCursors(Buffer.alloc(32, 1))
    const place = { at: '2026-01-15T12:00:10.000Z', id: ids[0] ?? '' }
    const wrong: Readonly<Record<string, string>> = {
      empty: '',
      nonsense: 'abc',
      'an id': ids[0] ?? '',
      cut: cursor.slice(0, -1),
      'with more behind it': `${cursor}A`,
      'with a line end': `${cursor}%0A`,
      'with padding': `${cursor}==`,
      twice: cursor + cursor,
      'in capitals': cursor.toUpperCase(),
      long: 'A'.repeat(5_000),
      'of a service with another key': foreign.encode('posts', api.world.workspaceId, place),
      'of another workspace': cursors.encode('posts', 'ws_other', place),
      'of another list': cursors.encode('feeds', api.world.workspaceId, place),
    }
    t.equal(
      (await page(t, api, key, `?cursor=${cursors.encode('posts', api.world.workspaceId, place)}`)).nextCursor,
      null,
    )
    for (const [name, text] of Object.entries(wrong)) {
      const { status, code, message } = await api.call({ path: `/v1/posts?cursor=${text}`, key })
      t.same([status, code], [400, 'invalid_request'], name)
      t.match(message, /^cursor/, name)
    }
    for (let at = 0; at < cursor.length; at += 1) {
      const flipped = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`
      if ((await api.call({ path: `/v1/posts?cursor=${flipped}`, key })).status !== 400) t.fail(`flipped at ${at}`)
    }
  })

  await t.test(
    'when another workspace turns pages, then it sees its own posts, and our cursor is worth nothing',
    async (t) => {
      const others = await queued(api, 3, 'ws_other')
      const theirs = await api.key({ workspaceId: 'ws_other' })
      t.same((await page(t, api, theirs)).posts.map(({ id }) => id).sort(), others.sort())
      const { nextCursor } = await page(t, api, key, '?limit=1')
      t.equal((await api.call({ path: `/v1/posts?cursor=${nextCursor}`, key: theirs })).status, 400)
      t.same(await page(t, api, await api.key({ workspaceId: 'ws_empty' })), { posts: [], nextCursor: null })
    },
  )
})

t.test('given posts and scheduled posts that differ', async (t) => {
  const api = await givenApi(t, { clock: movableClock({ standingAt: START }) })
  const key = await api.key()
  const post = (path: string, body: object) =>
    api.call({
      method: 'POST',
      path,
      key,
      body: { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', ...body },
    })
  await post('/v1/posts', { caption: 'Rye is BACK', selections: { x: ['acc_1'] } })
  await api.world.clock.advanceTo(START + 60_000)
  await post('/v1/posts', { caption: '100% rye', selections: { x: ['acc_2'], bluesky: ['acc_3'] } })
  for (const [caption, date] of [
    ['June rye', '2026-06-01'],
    ['July oats', '2026-07-01'],
  ]) {
    await post('/v1/posts/scheduled', { caption, date, time: '09:00', selections: { bluesky: ['acc_3'] } })
  }
  const captions = async (path: string) => {
    const { status, body } = await api.call({ path, key })
    t.equal(status, 200, path)
    const list = body['posts'] ?? body['scheduledPosts']
    return z
      .array(z.object({ caption: z.string() }))
      .parse(list)
      .map(({ caption }) => caption)
  }

  const cases: Readonly<Record<string, readonly string[]>> = {
    '/v1/posts': ['100% rye', 'Rye is BACK'],
    '/v1/posts?q=rye': ['100% rye', 'Rye is BACK'],
    '/v1/posts?q=back': ['Rye is BACK'],
    '/v1/posts?q=0%25': ['100% rye'],
    '/v1/posts?q=_': [],
    '/v1/posts?platform=bluesky': ['100% rye'],
    '/v1/posts?platform=pinterest': [],
    '/v1/posts?accountId=acc_1': ['Rye is BACK'],
    '/v1/posts?accountId=acc_1&platform=bluesky': [],
    '/v1/posts?status=processing': ['100% rye', 'Rye is BACK'],
    '/v1/posts?status=published': [],
    '/v1/posts?from=2026-01-15T12:00:30Z': ['100% rye'],
    '/v1/posts?to=2026-01-15T13:00:30%2B01:00': ['Rye is BACK'],
    '/v1/scheduled-posts': ['June rye', 'July oats'],
    '/v1/scheduled-posts?q=rye': ['June rye'],
    '/v1/scheduled-posts?from=2026-06-15T00:00:00Z&platform=bluesky&accountId=acc_3': ['July oats'],
    '/v1/scheduled-posts?to=2026-06-01T09:00:00Z': [],
  }
  for (const [path, expected] of Object.entries(cases)) {
    await t.test(`when ${path} is read, then it has what was asked for`, async (t) => {
      t.same(await captions(path), expected)
    })
  }

  for (const [query, wrong] of Object.entries({
    'status=failed': 'status must be one of processing, published, partially_failed, publish_failed',
    'platform=myspace': 'platform must be one of instagram',
    'from=yesterday': 'from must be a time such as',
    'q=': 'q',
  })) {
    await t.test(`when ${query} is asked for, then 400 says what is possible`, async (t) => {
      const { status, message } = await api.call({ path: `/v1/posts?${query}`, key })
      t.equal(status, 400)
      t.ok(message.startsWith(wrong), message)
    })
  }
})

t.test(
  'given a post that succeeded on one of its accounts, then it is among those that partially failed',
  async (t) => {
    const api = await givenApi(t)
    const key = await api.key()
    const service = await givenProcess(api.world)
    const account = await api.world.account('bluesky')
    const mediaUrl = `${api.world.sandbox.url}/media/sample.jpg`
    const partly = await service.queue({ selections: { bluesky: [account], x: ['acc_gone'] }, mediaUrl })
    const wholly = await service.queue({ selections: { bluesky: [account] }, mediaUrl, caption: 'All of it' })
    await service.drain()

    const idsOf = async (query: string) => (await page(t, api, key, query)).posts.map(({ id }) => id)

    t.same(await idsOf('?status=partially_failed'), [partly])
    t.same(await idsOf('?status=published'), [wholly, partly])
  },
)

t.test('given posts of two keys, one of them scheduled', async (t) => {
  const api = await givenApi(t, { clock: movableClock({ standingAt: START }) })
  const service = await givenProcess(api.world)
  const [key, other] = [await api.key(), await api.key()]
  const content = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', selections: { x: ['acc_gone'] } }
  const due = { date: '2026-01-15', time: '13:00' }
  const post = (path: string, as: string, body: object) =>
    api.call({ method: 'POST', path, key: as, body: { ...content, ...body } })
  await post('/v1/posts', other, { caption: 'At once' })
  await post('/v1/posts/scheduled', key, { caption: 'Later', ...due })
  await post('/v1/posts/scheduled', other, { caption: 'Later, too', ...due })
  const madeBy = async (path: string, as: string) => {
    const { status, body } = await api.call({ path, key: as })
    t.equal(status, 200, path)
    const of = z.object({
      caption: z.string(),
      author: z.object({ id: z.string(), name: z.string(), kind: z.string() }),
    })
    return z.array(of).parse(body['posts'] ?? body['scheduledPosts'])
  }

  await t.test('when they are listed, then each says who made it, and mine are mine alone', async (t) => {
    const [mine, ...more] = await madeBy('/v1/scheduled-posts?author=me', key)
    t.same(more, [])
    t.match(mine, { caption: 'Later', author: { id: /^key_/, name: 'test', kind: 'key' } })
    const [theirs] = await madeBy('/v1/posts?author=me', other)
    t.match(theirs, { caption: 'At once' })
    t.not(theirs?.author.id, mine?.author.id)
    t.same(await madeBy('/v1/posts?author=me', key), [])
    t.same(await madeBy(`/v1/scheduled-posts?author=${mine?.author.id}`, other), [mine], 'by its id, for others')
  })

  await t.test('when its time has come, then a post is that of who scheduled it, not of the schedule', async (t) => {
    await api.world.clock.advanceTo(Date.UTC(2026, 0, 15, 13, 0, 1))
    await service.drain()
    const [mine] = await madeBy('/v1/posts?author=me', key)
    t.match(mine, { caption: 'Later', author: { kind: 'key' } })
    t.match((await madeBy('/v1/posts?author=me', other)).map(({ caption }) => caption).toSorted(), [
      'At once',
      'Later, too',
    ])
    t.same(await madeBy('/v1/posts?author=schedule', key), [])
  })

  await t.test('when another workspace asks for the author, then it gets nothing', async (t) => {
    const [mine] = await madeBy('/v1/posts?author=me', key)
    const stranger = await api.key({ workspaceId: 'ws_other' })
    t.same(await madeBy(`/v1/posts?author=${mine?.author.id}`, stranger), [])
    t.same(await madeBy(`/v1/scheduled-posts?author=${mine?.author.id}`, stranger), [])
  })
})
