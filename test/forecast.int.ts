import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { connectAccount } from '../commands/connect-account.ts'
import { foreseen } from '../commands/foreseen.ts'
import { handle } from '../commands/handle.ts'
import { accountPublished, publishPrepared, startPublish } from '../commands/publish-attempt.ts'
import { queuePost } from '../commands/queue-post.ts'
import { schedulePost } from '../commands/schedule-post.ts'
import { account } from '../domain/account/account.ts'
import type { PlatformKey } from '../domain/core/platform.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { eventOf } from '../domain/core/event.ts'
import { post, type Due, type PostContent, type PostState } from '../domain/post/post.ts'
import { dueAt, dueAtMoment } from '../domain/post/wall-time.ts'
import type { Forecast } from '../domain/post/forecast.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { PlatformError, type Credentials, type Platform } from '../platforms/kit/platform.ts'
import { platforms as registered } from '../platforms/registry.ts'
import { instagramStandInWith } from '../packages/sandbox/instagram.ts'
import { shown } from '../app/cli/rehearse.ts'
import { givenForecast } from './support/forecast.ts'
import { mcpClient } from './support/mcp.ts'
import { givenApi } from './support/api.ts'
import { interceptingProxy } from './support/intercepting-proxy.ts'
import { givenRule } from './support/recycling.ts'
import { givenAccount, ids } from './support/sandbox.ts'
import { causedBy, givenProcess, givenWorld, vaultOf, type Process, type World } from './support/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The sandbox takes some looks at a container until it is ready. */
const PROCESSING_MS = 5 * MINUTE

type Platforms = NonNullable<NonNullable<Parameters<typeof givenWorld>[1]>['platforms']>

function contentOf(
  world: World,
  id: string,
  selections: Record<string, string[]>,
  more: Partial<PostContent> = {},
): PostContent {
  return {
    ...{ workspaceId: world.workspaceId, selections, mediaUrl: `${world.sandbox.url}/media/sample.jpg` },
    ...{ mediaType: 'image', caption: `Post ${id}`, captionOverrides: {}, hashtags: [], ...more },
  }
}

async function scheduled(
  world: World,
  id: string,
  at: number | Due,
  selections: Record<string, string[]>,
  more: Partial<PostContent> = {},
  options: Parameters<typeof schedulePost>[4] = {},
): Promise<void> {
  const content = contentOf(world, id, selections, more)
  const now = world.clock.now()
  const due = typeof at === 'number' ? dueAtMoment(isoTime(now + at), 'Europe/Berlin') : at
  await handle(world, post, id, causedBy(id), (state) => schedulePost(state, content, due, now, options))
}

/** A post as if it were published now. */
async function published(world: World, id: string, platform: PlatformKey, accountId: string): Promise<void> {
  const attempt = { platform, accountId, attempt: 1 }
  const steps: readonly ((state: PostState) => readonly PostEvent[])[] = [
    (state) => queuePost(state, { ...contentOf(world, id, { [platform]: [accountId] }), origin: 'api' }),
    (state) => startPublish(state, attempt),
    (state) => publishPrepared(state, attempt, {}),
    (state) => accountPublished(state, attempt, { postId: id }, false),
  ]
  await handle(world, post, id, causedBy(id), (state) =>
    steps.reduce<readonly PostEvent[]>((events, step) => [...events, ...step(foreseen(post, state, events))], []),
  )
}

/** What the forecast says of posts on accounts: the kind, and when. */
function planned({ entries }: Forecast) {
  return entries
    .filter(({ kind }) => ['published', 'fails', 'held'].includes(kind))
    .map(({ kind, at, postIds: [postId = ''], accountId = '' }) => ({ kind, at: Date.parse(at), postId, accountId }))
}

/** The same of what has happened. */
async function happened(world: World, ids: readonly string[]) {
  const found: ReturnType<typeof planned> = []
  for (const postId of ids) {
    for (const recorded of await world.log.read(`post-${postId}`)) {
      const event = eventOf(post, recorded)
      const at = Date.parse(recorded.metadata.at)
      if (event?.type === 'AccountPublished')
        found.push({ kind: 'published', at, postId, accountId: event.data.accountId })
      if (event?.type === 'AccountPublishFailed')
        found.push({ kind: 'fails', at, postId, accountId: event.data.accountId })
      if (event?.type === 'PostHeld') found.push({ kind: 'held', at, postId, accountId: '' })
    }
  }
  return found
}

/** A platform that no longer accepts the token of accounts from a moment on. */
function ending(platform: Platform, at: () => number): Platform {
  return {
    ...platform,
    prepare: async (job, io, earlier) => {
      if (io.clock.now() >= at()) throw new PlatformError('needs-reauth', 'The token has expired.')
      return platform.prepare(job, io, earlier)
    },
  }
}

async function givenPlans(t: Test, quota: number) {
  let tokenEnds = Infinity
  const { instagram, linkedin } = registered
  const limited = instagram.quota && { ...instagram.quota, posts: quota }
  const platforms: Platforms = {
    instagram: { ...instagram, ...(limited && { quota: limited }) },
    linkedin: ending(linkedin, () => tokenEnds),
  }
  const world = await givenWorld(t, { platforms, standIns: [instagramStandInWith({ quota })] })
  return {
    world,
    endToken: async (accountId: string, at: number) => {
      tokenEnds = at
      const { refreshToken: _, refreshExpiresAt: __, ...kept } = (await vaultOf(world).find(accountId)) ?? {}
      await vaultOf(world).put(world.workspaceId, accountId, { ...kept, expiresAt: isoTime(at) })
    },
  }
}

/** Lets the time pass, and the service publish what comes due on the way. */
async function advance(world: World, service: Process, ms: number): Promise<void> {
  const end = world.clock.now() + ms
  for (;;) {
    for (let rounds = 0; rounds < 50 && (await service.step()) > 0; rounds += 1);
    const { rows } = await world.db.query<{ next: string | null }>(
      `select min(coalesce(lease_until, due_at)) as next from read.agenda where kind in ('schedule', 'publish', 'recycle')`,
    )
    const next = Date.parse(rows[0]?.next ?? '')
    if (!(next <= end)) break
    await world.clock.advanceTo(next)
  }
  await world.clock.advanceTo(end)
}

t.test('given random plans, when they are forecast, then that is what happens', async (t) => {
  const arbitrary = fc.record({
    quota: fc.integer({ min: 1, max: 3 }),
    tokenEndsInHours: fc.integer({ min: 1, max: 60 }),
    maintenance: fc.record({ inHours: fc.integer({ min: 0, max: 40 }), hours: fc.integer({ min: 1, max: 10 }) }),
    posts: fc.uniqueArray(
      fc.record({
        /** In tens of minutes. */
        at: fc.integer({ min: 1, max: 2 * 24 * 6 }),
        instagram: fc.boolean(),
        linkedin: fc.boolean(),
        bluesky: fc.boolean(),
        isTooLong: fc.boolean(),
        asks: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
      }),
      { minLength: 1, maxLength: 8, selector: ({ at }) => at },
    ),
  })
  await fc.assert(
    fc.asyncProperty(arbitrary, async ({ quota, tokenEndsInHours, maintenance, posts }) => {
      await t.test(`${posts.length} posts, ${quota} a day`, async (t) => {
        const { world, endToken } = await givenPlans(t, quota)
        const accounts = {
          instagram: await world.account('instagram'),
          linkedin: await world.account('linkedin'),
          bluesky: await world.account('bluesky'),
        }
        await endToken(accounts.linkedin, world.clock.now() + tokenEndsInHours * HOUR + MINUTE / 2)
        const from = world.clock.now() + maintenance.inHours * HOUR
        const windows = { maintenance: [{ from, until: from + maintenance.hours * HOUR }] }
        const service = await givenProcess(world, windows)
        const ids: string[] = []
        // Of several that wait, nobody decides which is next, and so which one is tried too often: only one ever waits.
        let places = quota + 1
        for (const [index, plan] of posts.entries()) {
          const hasPlace = plan.instagram && (places -= 1) >= 0
          const keys = (['instagram', 'linkedin', 'bluesky'] as const).filter((key) =>
            key === 'instagram' ? hasPlace : plan[key],
          )
          const id = `post_${index}`
          ids.push(id)
          const selections = Object.fromEntries(keys.map((key) => [key, [accounts[key]]]))
          const caption = plan.isTooLong ? 'a'.repeat(400) : `Post ${index}`
          await scheduled(
            world,
            id,
            // No two apart by whole periods of a quota: the real one counts from when the platform is done.
            plan.at * 10 * MINUTE + index * MINUTE,
            selections,
            { caption },
            { asks: plan.asks ? 'at_time' : undefined },
          )
        }
        await advance(world, service, 0)
        const request = { workspaceId: world.workspaceId, now: world.clock.now(), until: world.clock.now() + 12 * DAY }
        const forecast = givenForecast(world, { sandboxUrl: undefined, ...windows })
        const told = await forecast(request)
        t.same(await forecast(request), told, 'the same again')

        await advance(world, service, 12 * DAY)
        const real = await happened(world, ids)
        const outcomes = (all: typeof real) =>
          all.map(({ kind, postId, accountId }) => `${postId} ${kind} ${accountId}`).toSorted()
        t.same(outcomes(planned(told)), outcomes(real))
        for (const accountId of [...Object.values(accounts), '']) {
          const times = (all: typeof real) =>
            all
              .filter((one) => one.accountId === accountId)
              .map(({ at }) => at)
              .toSorted((one, other) => one - other)
          const real1 = times(real)
          for (const [index, at] of times(planned(told)).entries()) {
            const late = (real1[index] ?? NaN) - at
            t.ok(late >= 0 && late <= PROCESSING_MS, `${isoTime(at)}, ${late} ms`)
          }
        }
      })
      return true
    }),
    { numRuns: 8 },
  )
})

/** How far it is from the beginning of a forecast, in hours, and what is told then. */
function inHours({ from, entries }: Forecast) {
  return entries.map(({ at, kind, postIds }) => [(Date.parse(at) - Date.parse(from)) / HOUR, kind, ...postIds] as const)
}

async function caughtUp(world: World): Promise<void> {
  const service = await givenProcess(world)
  while ((await service.step()) > 0);
}

const soon = ({ workspaceId, clock }: World, days: number) => ({
  workspaceId,
  now: clock.now(),
  until: clock.now() + days * DAY,
})

t.test('given a quota, when more is planned than it allows, then what waits is told together', async (t) => {
  const { world } = await givenPlans(t, 2)
  const account = await world.account('instagram')
  for (const [index, hour] of [1, 2, 3, 4, 5].entries()) {
    await scheduled(world, `post_${index}`, hour * HOUR, { instagram: [account] })
  }
  await caughtUp(world)
  const told = await givenForecast(world, { sandboxUrl: undefined })(soon(world, 3))
  t.same(inHours(told), [
    [1, 'published', 'post_0'],
    [2, 'published', 'post_1'],
    [3, 'waits', 'post_2', 'post_3', 'post_4'],
    [27, 'published', 'post_2'],
    [27, 'published', 'post_3'],
    [51, 'published', 'post_4'],
  ])
  t.match(told.entries[2], {
    sentence: 'The account has published as many posts as Instagram allows in a day: 2 of 2. 3 posts wait.',
    until: isoTime(world.clock.now() + 51 * HOUR),
  })
  t.same(told.totals, { published: 5, waits: 3, fails: 0, held: 0, usd: 0 })
  const added = { id: 'post_added', content: contentOf(world, 'post_added', { instagram: [account] }) }
  const dueAt = isoTime(world.clock.now() + 6 * HOUR)
  const with6 = await givenForecast(world, { sandboxUrl: undefined })({ ...soon(world, 3), added: { ...added, dueAt } })
  t.match(with6.entries[2], { kind: 'waits', postIds: ['post_2', 'post_3', 'post_4', 'post_added'] })
  const atSandbox = await givenForecast(world)(soon(world, 3))
  t.equal(atSandbox.totals.waits, 0, 'the sandbox has no quotas')
  await t.test('when some of it was published before, then that counts', async (t) => {
    const service = await givenProcess(world)
    await advance(world, service, 2 * HOUR + 10 * MINUTE)
    const later = await givenForecast(world, { sandboxUrl: undefined })(soon(world, 3))
    t.match(later, {
      totals: { published: 3, waits: 3 },
      entries: [{ kind: 'waits', postIds: ['post_2', 'post_3', 'post_4'] }],
    })
  })
})

t.test('given a budget, when the plan exceeds it, then posts wait for the next month', async (t) => {
  const world = await givenWorld(t)
  const made = await givenAccount(world.http, world.sandbox, 'x')
  const proxy = await interceptingProxy(t, made.baseUrl)
  const account = await world.connect('x', { credentials: made.credentials, baseUrl: proxy.url })
  for (const [index, caption] of ['One', 'See example.com', 'Three'].entries()) {
    await scheduled(world, `post_${index}`, (index + 1) * HOUR, { x: [account] }, { caption })
  }
  await caughtUp(world)
  const told = await givenForecast(world, { budgets: new Map([['x', 0.2]]) })(soon(world, 40))
  t.match(told.entries, [
    { kind: 'published', usd: 0.015 },
    { kind: 'published', usd: 0.2 },
    { kind: 'waits', sentence: /X_MONTHLY_BUDGET.* One post waits\.$/, until: '2026-02-01T00:00:00.000Z' },
    { kind: 'published', at: '2026-02-01T00:00:00.000Z', usd: 0.015 },
  ])
  t.equal(told.totals.usd, 0.23)
})

t.test('given a maintenance window, when posts are due in it, then they are published at its end', async (t) => {
  const world = await givenWorld(t)
  const account = await world.account('bluesky')
  for (const [index, hours] of [1, 2, 3, 5].entries())
    await scheduled(world, `post_${index}`, hours * HOUR, { bluesky: [account] })
  await caughtUp(world)
  const now = world.clock.now()
  const maintenance = [
    { from: now + 2 * HOUR, until: now + 4 * HOUR },
    { from: now + 50 * DAY, until: now + 51 * DAY },
  ]
  const told = await givenForecast(world, { maintenance })(soon(world, 1))
  const [begin, end] = [isoTime(now + 2 * HOUR), isoTime(now + 4 * HOUR)]
  t.match(told.entries, [
    { kind: 'published', postIds: ['post_0'] },
    {
      kind: 'waits',
      at: begin,
      until: end,
      postIds: ['post_1', 'post_2'],
      sentence: /^Maintenance: .* 2 posts wait\.$/,
    },
    { kind: 'warning', at: begin, until: end, postIds: [], sentence: /^Maintenance: / },
    { kind: 'published', at: end },
    { kind: 'published', at: end },
    { kind: 'published', postIds: ['post_3'] },
  ])
  t.match(told.totals, { published: 4, waits: 2, fails: 0 })
})

t.test('given a recycling rule, when it is forecast, then its turns are those that it then takes', async (t) => {
  const world = await givenWorld(t)
  const { id, account, service } = await givenRule(world, { intervalDays: 7, rewriteCaption: true })
  while ((await service.step()) > 0);
  const { log } = world
  const head = await log.head()
  const told = await givenForecast(world)(soon(world, 30))
  t.equal(await log.head(), head, 'nothing is written')
  const without = await givenForecast(world, { rewrites: false })(soon(world, 8))
  t.match(without.entries, [{ kind: 'fails', ruleId: id, sentence: /^Not recycled: .*AI_PROVIDER/ }])
  await advance(world, service, 30 * DAY)
  const { rows } = await world.db.query<{ id: string }>(
    `select id from read.posts where origin = 'recycling' order by id`,
  )
  const real = await happened(
    world,
    rows.map((row) => row.id),
  )
  const key = ({ postId, at, accountId }: (typeof real)[number]) => `${postId} ${at} ${accountId}`
  t.equal(told.totals.published, 4)
  t.same(planned(told).map(key).toSorted(), real.map(key).toSorted())
  t.ok(real.every(({ accountId }) => accountId === account))
})

t.test('given plans that cannot work, when they are forecast, then it says why', async (t) => {
  const world = await givenWorld(t)
  const account = await world.account('bluesky')
  const gone = `https://fanfare.test/media/${'0'.repeat(32)}${'1'.repeat(26)}.jpg`
  const at = dueAt('2026-03-29', '02:30', 'Europe/Berlin')
  await scheduled(world, 'post_gone', HOUR, { bluesky: [account] }, { mediaUrl: gone })
  await scheduled(world, 'post_none', 2 * HOUR, { bluesky: ['acc_none'] })
  await scheduled(world, 'post_held', 3 * HOUR, { bluesky: [account] }, {}, { asks: 'at_time' })
  await scheduled(world, 'post_open', 4 * HOUR, { bluesky: [account] }, {}, { asks: 'on_approval' })
  await scheduled(world, 'post_skipped', at, { bluesky: [account] })
  await caughtUp(world)
  const told = await givenForecast(world)(soon(world, 90))
  t.match(told.entries, [
    { kind: 'fails', postIds: ['post_gone'], sentence: /the media is gone/ },
    { kind: 'fails', postIds: ['post_none'], sentence: /No connected account was found/ },
    { kind: 'held', postIds: ['post_held'] },
    { kind: 'published', at: at.dueAt },
    {
      kind: 'warning',
      at: at.dueAt,
      postIds: ['post_skipped'],
      sentence: /no 02:30 on 2026-03-29 in Europe\/Berlin, .* 03:30/,
    },
  ])
  t.same(told.totals, { published: 1, waits: 0, fails: 2, held: 1, usd: 0 })
})

t.test(
  'given 10,001 scheduled posts, when they are forecast, then the time grows with their number, and it says where it ends',
  async (t) => {
    const world = await givenWorld(t)
    const account = await world.account('bluesky')
    await scheduled(world, 'post_0', HOUR, { bluesky: [account] })
    await caughtUp(world)
    await world.db.query(
      `insert into read.scheduled_posts select (jsonb_populate_record(p, jsonb_build_object('id', 'post_' || n,
       'due_at', p.due_at + n * interval '1 minute'))).* from read.scheduled_posts p, generate_series(1, 10000) n`,
    )
    const forecast = givenForecast(world)
    const cpuOf = async (work: () => Promise<Forecast>) => {
      const before = process.cpuUsage()
      const made = await work()
      const { user, system } = process.cpuUsage(before)
      return { made, ms: (user + system) / 1_000 }
    }
    const until = world.clock.now() + HOUR + 2_499 * MINUTE
    const some = await cpuOf(() => forecast({ ...soon(world, 30), until }))
    const all = await cpuOf(() => forecast(soon(world, 30)))
    const told = all.made
    t.equal(some.made.totals.published, 2_500)
    t.ok(all.ms < 12 * some.ms, `four times as many posts take ${(all.ms / some.ms).toFixed(1)} times as long`)
    t.equal(told.totals.published, 10_000)
    t.equal(told.cutAt, isoTime(world.clock.now() + HOUR + 10_000 * MINUTE))
    const { workspaceId } = world
    const asked = [workspaceId, workspaceId, 'ws_2', 'ws_3'].map((of) =>
      forecast({ ...soon(world, 1), workspaceId: of }),
    )
    const refused = { status: 'rejected', reason: { code: 'rate_limit_exceeded' } }
    const made = { status: 'fulfilled' }
    t.match(await Promise.allSettled(asked), [made, refused, made, refused], 'one for each workspace, two at once')
  },
)

t.test('given the API, when a forecast is asked for', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const account = await api.world.account('bluesky')
  await scheduled(api.world, 'post_a', 2 * DAY, { bluesky: [account] })
  const get = (query: string, asked = key) => api.call({ method: 'GET', path: `/v1/forecast${query}`, key: asked })

  await t.test('then it has what is planned by then', async (t) => {
    t.match(await get('?days=3'), { status: 200, body: { entries: [{ kind: 'published', postIds: ['post_a'] }] } })
    t.match(await get('?days=1'), { status: 200, body: { entries: [], totals: { published: 0 } } })
  })
  await t.test('then another workspace sees nothing of it', async (t) => {
    const other = await api.key({ workspaceId: `ws_${ids.ulid()}` })
    t.match(await get('', other), { status: 200, body: { entries: [] } })
  })
  await t.test('then too many days are refused', async (t) => {
    t.match(await get('?days=93'), { status: 400, code: 'invalid_request', message: /days/ })
  })
})

t.test('given the plan that README.md shows, when it is forecast, then it is as printed there', async (t) => {
  const berlin = (date: string, time: string) => dueAt(date, time, 'Europe/Berlin')
  const world = await givenWorld(t)
  const connected = async (platform: PlatformKey, label: string, credentials: Credentials = {}) => {
    const id = `acc_${platform}`
    await vaultOf(world).put(world.workspaceId, id, credentials)
    const command = { workspaceId: world.workspaceId, platform, externalId: platform, label }
    await handle(world, account, id, causedBy(id), (state) => connectAccount(state, command))
    return id
  }
  const x = await connected('x', '@bakery')
  const instagram = await connected('instagram', '@bakery')
  const linkedin = await connected('linkedin', 'Bakery', { expiresAt: berlin('2026-12-04', '08:00').dueAt })
  await world.clock.advanceTo(Date.parse(berlin('2026-12-02', '14:00').dueAt))
  for (let nth = 1; nth <= 100; nth += 1) await published(world, `post_${nth}`, 'instagram', instagram)
  await world.clock.advanceTo(Date.parse(berlin('2026-12-02', '18:00').dueAt))
  await scheduled(world, 'post_01KB4…', berlin('2026-12-03', '08:30'), { x: [x] })
  await scheduled(world, 'post_01KB5…', berlin('2026-12-03', '09:00'), { instagram: [instagram] })
  await scheduled(world, 'post_01KB6…', berlin('2026-12-04', '10:00'), { linkedin: [linkedin] })
  await caughtUp(world)
  const printed = shown(await givenForecast(world, { sandboxUrl: undefined })(soon(world, 14)), 'Europe/Berlin')
  const [, readme] =
    /rehearse schedule --workspace mine --days 14\n```\n\n```text\n([^`]*)\n```/.exec(
      await readFile(new URL('../README.md', import.meta.url), 'utf8'),
    ) ?? []
  t.equal(readme, printed)
})

t.test('given a forecast in which a post waits', async (t) => {
  const at = '2026-12-03T08:00:00.000Z'
  const waits = {
    kind: 'waits',
    at,
    platform: 'instagram',
    accountId: 'acc_1',
    until: '2026-12-04T08:00:00.000Z',
  } as const
  const told = (postIds: readonly string[]): Forecast => ({
    ...{ from: at, until: at, totals: { published: 2, waits: 1, fails: 0, held: 0, usd: 0.2 } },
    entries: [
      {
        kind: 'published',
        at,
        platform: 'x',
        accountId: 'acc_2',
        postIds,
        sentence: 'Published on X as @bakery.',
        usd: 0.2,
      },
      { ...waits, postIds, sentence: 'The quota is used up. One post waits.' },
    ],
  })
  const api = await givenApi(t)
  const key = await api.key()
  const item = { platform: 'instagram', caption: '', problems: [], details: [], warnings: ['It is cut.'] }
  const server = await api.server({
    services: {
      forecastPosts: async ({ added }) => told([added?.id ?? 'post_a']),
      previewPost: async () => [
        { ...item, accountId: 'acc_1' },
        { ...item, accountId: 'acc_2' },
        { ...item, accountId: 'acc_1', problems: ['It is too long.'] },
      ],
    },
  })
  const body = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', selections: { instagram: ['acc_1'] } }
  const preview = async (more: object) =>
    (await server.call({ method: 'POST', path: '/v1/posts/preview', key, body: { ...body, ...more } })).body['previews']

  await t.test('when a post for later is previewed, then it warns of what the post meets', async (t) => {
    const scheduledFor = isoTime(api.world.clock.now() + DAY)
    const waiting = ['It is cut.', 'At its time: The quota is used up. One post waits.']
    const others = [{ warnings: ['It is cut.'] }, { warnings: ['It is cut.'] }]
    t.match(await preview({ scheduledFor }), [{ warnings: waiting }, ...others])
    t.same((await preview({})) as object[], [
      { ...item, accountId: 'acc_1' },
      { ...item, accountId: 'acc_2' },
      { ...item, accountId: 'acc_1', problems: ['It is too long.'] },
    ])
  })

  await t.test('when an agent asks, then it is told what does not go well', async (t) => {
    const { call } = await mcpClient(t, await server.listen(), { key, profile: 'tasks' })
    const { answer } = await call('overview', { forecastDays: 7 })
    t.match(answer, {
      forecast: { totals: { published: 2, waits: 1 }, troubles: [{ kind: 'waits', postIds: ['post_a'] }] },
    })
    t.match((await call('overview')).answer, { forecast: undefined })
  })

  await t.test('when it is printed, then each entry has a line, in the zone of the workspace', async (t) => {
    const lines = shown(told(['post_a']), 'Europe/Berlin').split('\n')
    t.same(lines, [
      'Thu 2026-12-03 09:00  published  post_a  Published on X as @bakery. $0.2',
      'Thu 2026-12-03 09:00  waits      post_a  The quota is used up. One post waits. Until Fri 2026-12-04 09:00.',
      '2 published, 1 delayed, 0 failed, 0 held, $0.2 (times in Europe/Berlin)',
    ])
  })
})
