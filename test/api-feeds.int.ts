import t, { type Test } from 'tap'
import * as z from 'zod'
import { givenApi } from './support/api.ts'
import { rssOf } from './support/feed-writers.ts'
import { httpServer } from './support/outbound-servers.ts'
import { givenProcess } from './support/world.ts'

const listSchema = z.object({ feeds: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() })
const itemsSchema = z.object({ items: z.array(z.object({ title: z.string(), status: z.string() })) })

const aFeed = { url: 'https://blog.example/feed.xml', selections: { bluesky: ['acc_none'] } }

async function givenFeeds(t: Test) {
  const api = await givenApi(t)
  const key = await api.key()
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    api.call({ method, path: `/v1${path}`, key, body, headers })
  return { api, key, call }
}

t.test('given POST /rss-feeds', async (t) => {
  const { call } = await givenFeeds(t)
  const count = async () => listSchema.parse((await call('GET', '/rss-feeds?limit=100')).body).feeds.length

  await t.test('when a feed is added, then with the defaults, and it is listed at once', async (t) => {
    const { status, body } = await call('POST', '/rss-feeds', aFeed)
    t.equal(status, 200)
    t.match(body, { id: /^feed_/, ...aFeed, captionTemplate: '{title}\n\n{link}', checkIntervalMinutes: 60 })
    t.match(body, { active: true, postedCount: 0, createdAt: String })
    t.notOk('lastCheckedAt' in body || 'lastError' in body)
    t.match((await call('GET', '/rss-feeds')).body, { feeds: [{ id: body['id'] }], nextCursor: null })
    t.match((await call('GET', `/rss-feeds/${String(body['id'])}`)).body, { id: body['id'], ...aFeed })
  })

  await t.test('when the same key is used again, then it is the same feed', async (t) => {
    const before = await count()
    const twice = [1, 2].map(() => call('POST', '/rss-feeds', aFeed, { 'idempotency-key': 'once' }))
    const [first, second] = await Promise.all(twice)
    t.equal(second?.body['id'], first?.body['id'])
    t.equal(await count(), before + 1)
  })

  await t.test('when a field is wrong, then it is named and nothing is kept', async (t) => {
    const before = await count()
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ url: undefined }, /^url is required/],
      [{ url: 'blog.example/feed' }, /^url must be the URL of an RSS or Atom feed/],
      [{ url: 'ftp://blog.example/feed' }, /^url must be/],
      [{ url: `https://blog.example/${'a'.repeat(2_000)}` }, /^url/],
      [{ selections: undefined }, /^selections is required/],
      [{ selections: {} }, /^selections is required/],
      [{ selections: { x: ['acc_1'] } }, /^selections\.x is not supported for feeds: only facebook, instagram/],
      [{ selections: { bluesky: ['a'], tiktok: ['a'] } }, /^selections\.tiktok is not supported for feeds/],
      [{ selections: { myspace: ['a'] } }, /^selections\.myspace/],
      [{ selections: { bluesky: [] } }, /^selections\.bluesky must name at least one account/],
      [{ selections: { bluesky: [''] } }, /^selections\.bluesky\[0\]/],
      [{ selections: ['bluesky'] }, /^selections/],
      [{ checkIntervalMinutes: 14 }, /^checkIntervalMinutes must be a whole number of minutes from 15/],
      [{ checkIntervalMinutes: 20.5 }, /^checkIntervalMinutes/],
      [{ checkIntervalMinutes: '60' }, /^checkIntervalMinutes/],
      [{ captionTemplate: 5 }, /^captionTemplate/],
      [{ platformOptions: { pinterest: { boardID: '1' } } }, /^platformOptions\.pinterest: .* Did you mean boardId\?/],
      [{ accountOptions: { acc_other: {} } }, /^accountOptions\.acc_other must be the id of an account in selections/],
      [{ accountOptions: { acc_none: { boardId: '1' } } }, /^accountOptions\.acc_none: Unrecognized key: "boardId"/],
    ]
    for (const [more, message] of wrong) {
      const answer = await call('POST', '/rss-feeds', { ...aFeed, ...more })
      t.match(answer, { status: 400, code: 'invalid_request', message }, JSON.stringify(more).slice(0, 100))
    }
    t.equal(await count(), before)
  })
})

t.test('given feeds that were added', async (t) => {
  const { api, call } = await givenFeeds(t)
  const service = await givenProcess(api.world)
  const work = async () => {
    while ((await service.step()) > 0);
  }
  let items = [
    {
      identity: '1',
      title: 'One',
      link: 'https://blog.example/1',
      imageUrl: `${api.world.sandbox.url}/media/sample.jpg`,
    },
  ]
  const server = await httpServer(t, (_request, response) => void response.writeHead(200).end(rssOf(items)))
  const account = await api.world.account('bluesky')
  const add = async (url: string) =>
    String((await call('POST', '/rss-feeds', { url, selections: { bluesky: [account] } })).body['id'])
  const id = await add(`${server.url}/feed.xml`)
  const path = `/rss-feeds/${id}`
  const shown = async () => (await call('GET', path)).body

  await t.test('when one is checked, then its new items are posted and listed', async (t) => {
    await work()
    t.match(await shown(), { lastCheckedAt: String, postedCount: 0, lastError: undefined })
    items = [{ ...items[0]!, identity: '2', title: 'Two', link: 'https://blog.example/2' }, ...items]
    t.equal((await call('POST', `${path}/check-now`)).status, 200)
    await work()
    t.match(await shown(), { postedCount: 1 })
    const { body } = await call('GET', `${path}/items`)
    t.same(
      itemsSchema.parse(body).items.map(({ title, status }) => [title, status]),
      [
        ['Two', 'posted'],
        ['One', 'seeded'],
      ],
    )
    const { nextCursor } = (await call('GET', `${path}/items?limit=1`)).body
    const rest = await call('GET', `${path}/items?cursor=${String(nextCursor)}`)
    t.match(rest.body, { items: [{ title: 'One' }], nextCursor: null })
    const other = await add(`${server.url}/other.xml`)
    const strange = await call('GET', `/rss-feeds/${other}/items?cursor=${String(nextCursor)}`)
    t.match(strange, { status: 400, message: /^cursor is not a cursor of this list/ })
    t.equal((await call('DELETE', `/rss-feeds/${other}`)).status, 204)
    const [posted] = z.object({ items: z.array(z.object({ postId: z.string().optional() })) }).parse(body).items
    t.match((await call('GET', `/posts/${posted?.postId}`)).body, {
      ...{ status: 'published', origin: 'rss', caption: 'Two\n\nhttps://blog.example/2' },
    })
  })

  await t.test('when it is no feed, or cannot be reached, then that is shown and it is kept', async (t) => {
    const page = await httpServer(t, (_request, response) => void response.end('<!doctype html><title>Home</title>'))
    const binary = await httpServer(t, (_request, response) => void response.end('<\0\u{1f600}\0binary data>'))
    const cases: readonly (readonly [string, RegExp])[] = [
      [`${binary.url}/`, /has no RSS or Atom feed/],
      [`${page.url}/`, /is a web page, not a feed/],
      ['http://10.0.0.1/feed', /not allowed to fetch this address/],
      ['http://127.0.0.1:1/feed', /could not be reached/],
    ]
    for (const [url, lastError] of cases) {
      const wrong = await add(url)
      await work()
      t.match((await call('GET', `/rss-feeds/${wrong}`)).body, { lastError, active: true, lastCheckedAt: String }, url)
      t.equal((await call('DELETE', `/rss-feeds/${wrong}`)).status, 204)
    }
  })

  await t.test('when one is changed, then what is given changes and the rest stays', async (t) => {
    t.match((await call('PATCH', path, { captionTemplate: '{link}' })).body, {
      ...{ captionTemplate: '{link}', checkIntervalMinutes: 60, active: true, selections: { bluesky: [account] } },
    })
    t.match((await call('PATCH', path, { checkIntervalMinutes: 15, active: false })).body, {
      ...{ captionTemplate: '{link}', checkIntervalMinutes: 15, active: false },
    })
    t.match(await call('POST', `${path}/check-now`), { status: 409, code: 'failed_precondition', message: /paused/ })
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{}, /needs active, selections, captionTemplate, checkIntervalMinutes, platformOptions or accountOptions/],
      [{ active: 'no' }, /^active/],
      [{ selections: {} }, /^selections/],
      [{ selections: { linkedin: ['a'] } }, /^selections\.linkedin/],
      [{ checkIntervalMinutes: 1 }, /^checkIntervalMinutes/],
    ]
    for (const [body, message] of wrong) {
      t.match(await call('PATCH', path, body), { status: 400, message }, JSON.stringify(body))
    }
    t.match(await shown(), { checkIntervalMinutes: 15, active: false })
  })

  await t.test('when one is deleted, then it is gone', async (t) => {
    t.equal((await call('DELETE', path)).status, 204)
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/items`],
      ['PATCH', path],
      ['DELETE', path],
      ['POST', `${path}/check-now`],
    ] as const) {
      t.match(
        await call(method, at, method === 'PATCH' ? { active: true } : undefined),
        { status: 404 },
        `${method} ${at}`,
      )
    }
  })
})

t.test('given a feed with options, when it has new items, then their posts have them', async (t) => {
  const { api, call } = await givenFeeds(t)
  const { world } = api
  const service = await givenProcess(world)
  const work = async () => {
    while ((await service.step()) > 0);
  }
  const item = (title: string) => ({
    ...{ identity: title, title, link: `https://blog.example/${title}` },
    imageUrl: `${world.sandbox.url}/media/sample.jpg`,
  })
  let items = [item('Old')]
  const server = await httpServer(t, (_request, response) => void response.writeHead(200).end(rssOf(items)))
  const [one, two] = [await world.account('pinterest'), await world.account('pinterest')]
  const boardsOf = async (id: string) => {
    const { body } = await call('GET', `/accounts/${id}/destinations`)
    const { destinations } = z
      .object({ destinations: z.array(z.object({ options: z.object({ boardId: z.string() }) })) })
      .parse(body)
    return destinations.map(({ options }) => options)
  }
  await work()
  const [, second] = await boardsOf(one)
  const options = {
    platformOptions: { pinterest: { link: 'https://blog.example/' } },
    accountOptions: { [one]: second },
  }
  const added = await call('POST', '/rss-feeds', {
    ...{ url: `${server.url}/feed.xml`, selections: { pinterest: [one, two] } },
    ...options,
  })
  t.match(added, { status: 200, body: options })
  const path = `/rss-feeds/${String(added.body['id'])}`
  t.match((await call('GET', path)).body, options)
  await work()
  const check = async (title: string) => {
    items = [item(title), ...items]
    await call('POST', `${path}/check-now`)
    await work()
    const made = world.sandbox.ledger.posts('pinterest').filter(({ caption }) => caption.startsWith(title))
    return made.map(({ details }) => details)
  }
  const [first, other] = await check('New')
  t.match([first, other], [{ link: 'https://blog.example/' }, { link: 'https://blog.example/' }])
  t.equal([first, other].filter((pin) => pin?.['boardId'] === second?.boardId).length, 1, 'one board is its own')

  const strange = await call('PATCH', path, { accountOptions: { acc_other: {} } })
  t.match(strange, { status: 400, message: /^accountOptions\.acc_other must be the id of an account in selections/ })
  t.match((await call('PATCH', path, { platformOptions: {}, accountOptions: {} })).status, 200)
  t.same(
    (await check('Newer')).map((pin) => pin?.['link']),
    [undefined, undefined],
  )
})

t.test('given a read model that is behind, when a feed is changed, then the response has the new state', async (t) => {
  const { call, api } = await givenFeeds(t)
  const added = await call('POST', '/rss-feeds', aFeed)
  const path = `/rss-feeds/${String(added.body['id'])}`
  const before = (await call('GET', path)).body
  t.same({ ...added.body, requestId: '' }, { ...before, requestId: '' })
  await api.stopProjector()
  const expected: Record<string, unknown> = { ...before, requestId: '' }
  for (const change of [{ captionTemplate: '{link}' }, { selections: { threads: ['acc_1'] }, active: false }]) {
    Object.assign(expected, change)
    t.same({ ...(await call('PATCH', path, change)).body, requestId: '' }, expected)
  }
  Object.assign(expected, { active: true })
  t.same({ ...(await call('PATCH', path, { active: true })).body, requestId: '' }, expected)
  t.same({ ...(await call('POST', `${path}/check-now`)).body, requestId: '' }, expected)
})
