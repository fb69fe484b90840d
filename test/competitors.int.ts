import t, { type Test } from 'tap'
import fc from 'fast-check'
import { presentCompetitor } from '../api/v1/competitors/present-competitor.ts'
import { requireReauth, restAccount } from '../commands/account-standing.ts'
import { addCompetitor, removeCompetitor } from '../commands/competitor.ts'
import { disconnectAccount } from '../commands/disconnect-account.ts'
import { handle } from '../commands/handle.ts'
import { account, type AccountEvent, type AccountState } from '../domain/account/account.ts'
import {
  followersChange,
  recentFigures,
  withCount,
  type FollowerCount,
} from '../domain/analytics/competitor-figures.ts'
import { competitor, competitorId } from '../domain/analytics/competitor.ts'
import type { PlatformKey } from '../domain/core/platform.ts'
import { PlatformError } from '../platforms/kit/platform.ts'
import { platforms } from '../platforms/registry.ts'
import { RETENTION } from '../platforms/retention.ts'
import { connectedAccounts } from '../projections/models/accounts.ts'
import { competitors as model } from '../projections/models/competitors.ts'
import { newestFirst } from '../projections/engine/newest-first.ts'
import { projections } from '../projections/models/index.ts'
import { resetTables } from '../projections/engine/tables.ts'
import { comparablePlatforms, trackCompetitor } from '../reactors/analytics/add-competitor.ts'
import { competitorReactor } from '../reactors/analytics/competitor.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { HIGH_CEILINGS } from './support/api.ts'
import { DAY, HOUR } from './support/analytics.ts'
import { pass } from './support/comments.ts'
import { competitorDeps, entriesOf, looksOf, RIVAL, toldOfOthers, type Told } from './support/competitors.ts'
import { fused } from './support/fuse.ts'
import { ids } from './support/sandbox.ts'
import { causedBy, givenProcess, givenWorld, type World } from './support/world.ts'

const NOW = Date.UTC(2026, 5, 1)
const WEEKS_OF_30_DAYS = 30 / 7

const cause = () => causedBy(ids.ulid())
const typesOf = async (world: World, id: string) => (await entriesOf(world, id)).map(({ type }) => type)
const decideAccount = (world: World, id: string, decision: (state: AccountState) => readonly AccountEvent[]) =>
  handle(world, account, id, cause(), decision)
const remove = (world: World, id: string) => handle(world, competitor, id, cause(), removeCompetitor)

async function given(t: Test, told?: Told) {
  const world = await givenWorld(t, told ? { platforms: { bluesky: told.platform } } : {})
  const service = await givenProcess(world, { competitors: true })
  const add = async (platform: PlatformKey, name: string) =>
    trackCompetitor(competitorDeps(world), { workspaceId: world.workspaceId, platform, handle: name }, cause())
  const all = async () =>
    (await newestFirst(world.db, model, { workspaceId: world.workspaceId, limit: 100 })).map(presentCompetitor)
  return {
    ...{ world, service, add, all },
    account: async (platform: PlatformKey = 'bluesky') => {
      const id = await world.account(platform)
      await service.step()
      return id
    },
    shown: async (id: string) => (await all()).find((one) => one.id === id),
  }
}

/** The rival on a platform that says what the test has it say, with accounts that may look. */
async function givenRival(
  t: Test,
  facts: Parameters<typeof toldOfOthers>[0] = { recent: [], followers: 10 },
  accounts = 1,
) {
  const told = toldOfOthers(facts)
  const scene = await given(t, told)
  const accountIds: string[] = []
  for (let n = 0; n < accounts; n += 1) accountIds.push(await scene.account())
  const { id } = await scene.add('bluesky', 'rival.example')
  return { ...scene, told, id, accountIds, lookAlike: () => scene.shown(id) }
}

t.test('given recent posts', (t) => {
  const posted = (count: number, everyMs: number, metrics = {}) =>
    Array.from({ length: count }, (_, n) => ({ createdAt: isoTime(NOW - n * everyMs), metrics }))

  t.test('when they are counted, then figures are of those that tell them, and absent where none does', (t) => {
    const cases: readonly [string, ReturnType<typeof posted>, ReturnType<typeof recentFigures>][] = [
      ['none', [], { postsPerWeek: 0 }],
      ['those that tell nothing', posted(3, DAY), { postsPerWeek: 0.7 }],
      ['one in 30 days', posted(1, DAY, { likes: 0 }), { postsPerWeek: 0.23, interactionsPerPost: 0 }],
      [
        'means',
        [
          ...posted(1, 1, { views: 10, likes: 1, comments: 1 }),
          ...posted(1, 1, { views: 5, likes: 3 }),
          ...posted(1, 1),
        ],
        { postsPerWeek: 0.7, interactionsPerPost: 2.5, viewsPerPost: 7.5 },
      ],
      ['impressions for views', posted(2, DAY, { impressions: 3 }), { postsPerWeek: 0.47, viewsPerPost: 3 }],
      [
        'what is not whole',
        posted(1, DAY, { views: 1 }).concat(posted(2, DAY, { views: 0 })),
        { postsPerWeek: 0.7, viewsPerPost: 0.33 },
      ],
      ['a list that ends before the 30 days do', posted(100, DAY / 10), { postsPerWeek: 70.71 }],
      ['a list of which some told nothing', posted(98, DAY / 10), { postsPerWeek: 70.72 }],
      ['all at once', posted(100, 0), { postsPerWeek: 16_800 }],
    ]
    for (const [what, posts, expected] of cases) t.same(recentFigures(posts, NOW), expected, what)
    t.end()
  })

  t.test('when their times and numbers are any, then no figure is beyond all measure', (t) => {
    const metric = fc.option(fc.nat(), { nil: undefined })
    const post = fc.record({ createdAt: fc.integer({ min: -40, max: 40 }), views: metric, likes: metric })
    fc.assert(
      fc.property(fc.array(post, { maxLength: 100 }), (given) => {
        const posts = given.map(({ createdAt, views, likes }) => ({
          createdAt: isoTime(NOW + createdAt * DAY),
          metrics: { ...(views !== undefined && { views }), ...(likes !== undefined && { likes }) },
        }))
        const figures = recentFigures(posts, NOW)
        t.ok(Object.values(figures).every((value: number) => Number.isFinite(value) && value >= 0))
        t.equal(
          'viewsPerPost' in figures,
          given.some(({ views }) => views !== undefined),
        )
        t.equal(
          'interactionsPerPost' in figures,
          given.some(({ likes }) => likes !== undefined),
        )
        if (posts.length < 50) t.ok(Math.abs(figures.postsPerWeek - posts.length / WEEKS_OF_30_DAYS) < 0.01)
      }),
    )
    t.end()
  })
  t.end()
})

t.test('given counts of followers', (t) => {
  const at = (day: number, followers: number): FollowerCount => ({ at: isoTime(NOW + day * DAY), followers })

  t.test('when they are compared, then with the one nearest to 30 days before, a day off at most', (t) => {
    const cases: readonly [string, readonly FollowerCount[], number | undefined][] = [
      ['none', [], undefined],
      ['one', [at(0, 5)], undefined],
      ['28 days', [at(0, 5), at(28, 9)], undefined],
      ['29 days', [at(0, 5), at(29, 9)], 4],
      ['31 days', [at(0, 9), at(31, 5)], -4],
      ['32 days', [at(0, 9), at(32, 5)], undefined],
      ['the nearest', [at(0, 1), at(0.4, 2), at(1.1, 3), at(2, 4), at(30.5, 10)], 8],
      ['nothing has changed', [at(0, 5), at(30, 5)], 0],
    ]
    for (const [what, counts, expected] of cases) t.equal(followersChange(counts), expected, what)
    t.end()
  })

  t.test('when only those are kept that may be needed, then the change is the same, and they stay few', (t) => {
    const gaps = fc.array(fc.record({ days: fc.integer({ min: 1, max: 8 }), followers: fc.nat(1000) }), {
      maxLength: 120,
    })
    fc.assert(
      fc.property(gaps, (given) => {
        let [day, kept, all]: [number, readonly FollowerCount[], readonly FollowerCount[]] = [0, [], []]
        for (const { days, followers } of given) {
          day += days
          all = [...all, at(day, followers)]
          kept = withCount(kept, at(day, followers))
          t.equal(followersChange(kept), followersChange(all))
          t.ok(kept.length <= 32)
        }
      }),
    )
    t.end()
  })
  t.end()
})

t.test(
  'given the platforms with competitors, when a month passes, then each competitor is checked once a day',
  async (t) => {
    const { world, service, add, account: connect, shown } = await given(t)
    const names = { youtube: 'rival', x: 'rival', bluesky: 'rival.example' } as const
    t.same(comparablePlatforms((key) => platforms[key]).toSorted(), Object.keys(names).toSorted())
    const added: { readonly platform: PlatformKey; readonly id: string; readonly accountId: string }[] = []
    for (const platform of ['youtube', 'x', 'bluesky'] as const) {
      const accountId = await connect(platform)
      added.push({ platform, accountId, id: (await add(platform, names[platform])).id })
    }
    await pass(world, service, 0)
    for (const { id, platform } of added) {
      const first = await shown(id)
      t.match(first, {
        platform,
        handle: /^rival/,
        label: /rival/i,
        followers: Number,
        postsPerWeek: Number,
        lookedAt: String,
      })
      t.notOk(first && ('followersChange30d' in first || 'lastError' in first), 'what is not known is absent')
      t.equal(first && 'viewsPerPost' in first, platform !== 'bluesky')
      t.ok((first?.postsPerWeek ?? 0) > 0 && (first?.interactionsPerPost ?? 0) > 0, platform)
    }

    await pass(world, service, 31 * DAY + HOUR)
    for (const { id, platform, accountId } of added) {
      const looks = await looksOf(world, id)
      const [first] = looks
      t.same(
        looks.map(({ at }) => (at - (first?.at ?? 0)) / DAY),
        Array.from({ length: 32 }, (_, day) => day),
        platform,
      )
      t.ok(looks.every(({ data }) => data['accountId'] === accountId))
      const told = looks.map(({ data }) => Number(data['followers']))
      // Where figures are erased after 30 days, the first that is left is of the day after.
      const since = RETENTION[platform].competitorsMs === undefined ? 1 : 2
      t.equal((await shown(id))?.followersChange30d, (told[31] ?? NaN) - (told[since] ?? NaN), platform)
      const others = (await typesOf(world, id)).filter((type) => !/Added|Looked|FiguresErased/.test(type))
      t.same(others, [], 'and nothing else is recorded')
    }

    await t.test('when the read models are rebuilt, then they are the same and no platform is called', async (t) => {
      const before = await Promise.all(added.map(({ id }) => shown(id)))
      await resetTables(world.db, projections)
      await pass(world, service, HOUR)
      t.same(await Promise.all(added.map(({ id }) => shown(id))), before)
      for (const { id } of added) t.equal((await looksOf(world, id)).length, 32)
    })

    await t.test(
      'when the service is down for a week, then each is checked at once, and daily after that',
      async (t) => {
        await world.clock.advanceTo(world.clock.now() + 7 * DAY)
        await pass(world, service, DAY)
        for (const { id } of added) t.equal((await looksOf(world, id)).length, 34)
      },
    )
  },
)

t.test('given an account that is to be added', async (t) => {
  const { world, service, add, all, shown, account: connect } = await given(t)
  const refused = async (t: Test, work: Promise<unknown>, code: string, message: RegExp) =>
    t.rejects(work, { code, message })

  await t.test('when no account may look, then it says what to do', async (t) => {
    await refused(
      t,
      add('bluesky', 'rival.example'),
      'failed_precondition',
      /No account on bluesky is connected\. Connect one with: fanfare/,
    )
    await refused(
      t,
      add('pinterest', 'rival'),
      'failed_precondition',
      /pinterest provides no data about other accounts/,
    )
  })

  const accountId = await connect()

  await t.test(
    'when it is added again, however it is written and by how many at once, then it is the same',
    async (t) => {
      const spellings = ['rival.example', '@Rival.Example', 'https://bsky.app/profile/rival.example', ' rival.example ']
      const added = await Promise.all(spellings.map((spelling) => add('bluesky', spelling)))
      const [{ id } = { id: '' }] = added
      t.match(id, /^cmp_/)
      t.ok(added.every((one) => one.id === id))
      await service.step()
      t.same((await typesOf(world, id)).filter((type) => type === 'CompetitorAdded').length, 1)
      t.equal((await all()).length, 1)
    },
  )

  await t.test('when there is no such account, or it cannot be one, then that is said', async (t) => {
    for (const name of [
      'nobody.example',
      '',
      '   ',
      '@',
      'two words',
      'a'.repeat(100_000),
      'rival',
      'https://bsky.app/',
    ]) {
      await refused(t, add('bluesky', name), 'not_found', /No account .* was found on bluesky: enter its handle/)
    }
    t.equal((await all()).length, 1)
  })

  await t.test('when the account is paused or has lost access, then that is shown', async (t) => {
    await decideAccount(world, accountId, (state) =>
      restAccount(state, { reason: 'Too much.', forMs: HOUR }, world.clock.now()),
    )
    await refused(
      t,
      add('bluesky', 'other.example'),
      'failed_precondition',
      /accepts no requests from your accounts until 2026-01-01T01/,
    )
    await world.clock.advanceTo(world.clock.now() + 2 * HOUR)
    await decideAccount(world, accountId, (state) => requireReauth(state, 'The session is over.'))
    await refused(
      t,
      add('bluesky', 'other.example'),
      'failed_precondition',
      /still has access\. The session is over\. Connect one again with: fanfare accounts connect bluesky/,
    )
  })

  await t.test('when it is removed, then it is no longer checked; added again, it starts over', async (t) => {
    const other = await connect()
    const { id } = await add('bluesky', 'other.example')
    await pass(world, service, DAY)
    t.match(await shown(id), { followers: Number })
    await remove(world, id)
    await pass(world, service, 3 * DAY)
    t.equal(await shown(id), undefined)
    t.equal((await looksOf(world, id)).length, 2)
    await t.rejects(remove(world, id), { code: 'not_found' })
    await t.rejects(remove(world, 'cmp_none'), { code: 'not_found' })
    t.equal((await add('bluesky', 'other.example')).id, id)
    await service.step()
    t.match(await shown(id), { createdAt: isoTime(world.clock.now()), lookedAt: isoTime(world.clock.now()) })
    t.equal((await looksOf(world, id)).at(-1)?.data['accountId'], other)
  })

  await t.test(
    'when there are as many as there may be, then one more is refused, and one that is there is not',
    async (t) => {
      const { workspaceId } = world
      const names = { platform: 'bluesky', accountId, handle: 'h', label: 'l' } as const
      for (let n = (await all()).length; n < HIGH_CEILINGS.MAX_COMPETITORS; n += 1) {
        const command = { workspaceId, ...names, externalId: `did:web:one-of-${n}.example` }
        const id = competitorId(workspaceId, 'bluesky', command.externalId)
        await handle(world, competitor, id, cause(), (state) => addCompetitor(state, command))
      }
      await service.step()
      await refused(t, add('bluesky', 'third.example'), 'failed_precondition', /has 50 competitors.*MAX_COMPETITORS/)
      t.match(await add('bluesky', 'rival.example'), { id: /^cmp_/ })
    },
  )
})

t.test('given a platform in trouble', async (t) => {
  const { world, service, told, id, lookAlike } = await givenRival(t)
  await pass(world, service, 0)
  const away = new PlatformError('retryable', 'The platform is away.')

  await t.test(
    'when it does not answer, then that is shown once, and it is asked every hour until it does',
    async (t) => {
      told.failures.set('any', away)
      await pass(world, service, DAY + 5 * HOUR)
      t.match(await lookAlike(), { lastError: 'The platform is away.', followers: 10 })
      t.same(await typesOf(world, id), ['CompetitorAdded', 'CompetitorLooked', 'CompetitorLookFailed'])
      t.equal(told.looks.length, 1 + 6)
      told.failures.clear()
      await pass(world, service, HOUR)
      t.notOk('lastError' in ((await lookAlike()) ?? {}))
      t.equal((await looksOf(world, id)).length, 2)
      const [before, after] = [told.looks.length, DAY - HOUR]
      await pass(world, service, after)
      t.equal(told.looks.length, before, 'and then a day later')
    },
  )

  await t.test('when it says how long to wait, then no request is sent before that', async (t) => {
    await pass(world, service, DAY)
    told.failures.set('any', new PlatformError('retryable', 'Too much.', { retryAfterMs: 10 * HOUR }))
    await pass(world, service, DAY)
    const failedAt = told.looks.at(-1)?.at ?? NaN
    told.failures.clear()
    const before = told.looks.length
    await world.clock.advanceTo(failedAt + 9 * HOUR)
    await pass(world, service, 2 * HOUR)
    t.ok(told.looks.slice(before).every(({ at }) => at - failedAt >= 10 * HOUR))
    t.equal(told.looks.length, before + 1)
  })

  await t.test('when it refuses permanently, then it is tried rarely, but still tried', async (t) => {
    told.failures.set('any', new PlatformError('permanent', `Not \0 allowed. ${'x'.repeat(2_000)}`))
    const before = told.looks.length
    await pass(world, service, 4 * DAY)
    const asked = told.looks.length - before
    t.ok(asked >= 10 && asked <= 16, `${asked} times in 4 days`)
    t.match((await lookAlike())?.lastError, /^Not {2}allowed\. x+$/)
    told.failures.clear()
    await pass(world, service, 6 * HOUR)
    t.notOk('lastError' in ((await lookAlike()) ?? {}))
  })

  await t.test('when it has the account no more, then it is looked for each day, and found again', async (t) => {
    const { facts } = told
    told.facts = undefined
    const before = told.looks.length
    await pass(world, service, 5 * DAY)
    t.equal(told.looks.length - before, 5)
    t.match(await lookAlike(), { lastError: /bluesky no longer has rival\.example/, followers: 10 })
    told.facts = facts && { ...facts, handle: 'renamed.example', label: 'Renamed', followers: 12 }
    await pass(world, service, DAY)
    const shown = await lookAlike()
    t.match(shown, { handle: 'renamed.example', label: 'Renamed', followers: 12 })
    t.notOk(shown && 'lastError' in shown)
  })

  await t.test('when its data cannot be stored, then that is shown, and the next check is the next day', async (t) => {
    const { facts } = told
    if (!facts) return t.fail('there are none')
    for (const wrong of [
      { followers: -1 },
      { followers: 1.5 },
      { recent: [{ id: '1', createdAt: '', metrics: { likes: NaN } }] },
    ]) {
      told.facts = { ...facts, ...wrong }
      await pass(world, service, DAY)
      t.match(await lookAlike(), { lastError: /^The data from bluesky could not be saved: / }, JSON.stringify(wrong))
      told.facts = { ...facts, label: `${'l'.repeat(300)}\0`, handle: 'h\0' }
      await pass(world, service, DAY)
      t.match(await lookAlike(), { label: 'l'.repeat(200), handle: 'h', lastError: undefined })
    }
  })

  await t.test('when it stops telling a number, then that is absent, and comes back with its change', async (t) => {
    const { facts } = told
    if (!facts) return t.fail('there are none')
    await pass(world, service, 31 * DAY)
    t.match(await lookAlike(), { followers: facts.followers, followersChange30d: 0 })
    told.facts = { ...RIVAL, recent: [] }
    await pass(world, service, DAY)
    const shown = await lookAlike()
    t.ok(shown && !('followers' in shown || 'followersChange30d' in shown || 'interactionsPerPost' in shown))
    t.equal(shown?.postsPerWeek, 0)
    told.facts = { ...RIVAL, recent: [], followers: 30 }
    await pass(world, service, DAY)
    t.match(await lookAlike(), { followers: 30, followersChange30d: 30 - (facts.followers ?? NaN) })
  })

  t.ok(told.looks.every(({ at, since }) => at - Date.parse(since) === 30 * DAY))
})

t.test('given several accounts on the platform of a competitor', async (t) => {
  const { world, service, told, id, lookAlike, accountIds } = await givenRival(t, { recent: [], followers: 1 }, 3)
  await pass(world, service, 0)
  const usedLast = async () => String((await looksOf(world, id)).at(-1)?.data['accountId'])
  const used: string[] = [await usedLast()]

  await t.test('when the one that looks is disconnected, then another does, without an error', async (t) => {
    await decideAccount(world, used[0] ?? '', disconnectAccount)
    await pass(world, service, DAY)
    used.push(await usedLast())
    t.not(used[1], used[0])
    t.same(await typesOf(world, id), ['CompetitorAdded', 'CompetitorLooked', 'CompetitorLooked'])
  })

  await t.test('when its access turns out to be gone, then the last one looks within the same look', async (t) => {
    told.failures.set(used[1] ?? '', new PlatformError('needs-reauth', 'The session is over.'))
    await pass(world, service, DAY)
    used.push(await usedLast())
    t.same(used.toSorted(), accountIds.toSorted())
    t.same(
      told.looks.slice(-2).map(({ accountId }) => accountId),
      used.slice(1),
    )
    const before = told.looks.length
    await pass(world, service, DAY)
    t.same(
      told.looks.slice(before).map(({ accountId }) => accountId),
      [used[2]],
      'from then on it goes first',
    )
    t.equal((await looksOf(world, id)).length, 4)
  })

  await t.test('when the account has to wait, then no check happens before that, and that is no error', async (t) => {
    told.failures.delete(used[1] ?? '')
    await decideAccount(world, used[1] ?? '', (state) => requireReauth(state, 'Log in again.'))
    await pass(world, service, DAY - HOUR)
    const before = told.looks.length
    await decideAccount(world, used[2] ?? '', (state) =>
      restAccount(state, { reason: 'Much.', forMs: 10 * HOUR }, world.clock.now()),
    )
    await pass(world, service, 9 * HOUR)
    t.equal(told.looks.length, before)
    await pass(world, service, 2 * HOUR)
    t.equal(told.looks.length, before + 1)
    t.notOk('lastError' in ((await lookAlike()) ?? {}))
  })

  await t.test('when none is left, then it says what to do, and continues once that is done', async (t) => {
    await decideAccount(world, used[2] ?? '', disconnectAccount)
    await pass(world, service, 2 * DAY)
    t.match(await lookAlike(), {
      followers: 1,
      lastError:
        /^No account on bluesky still has access\. Log in again\. Connect one again with: fanfare accounts connect bluesky$/,
    })
    t.equal((await typesOf(world, id)).filter((type) => type === 'CompetitorLookFailed').length, 1)
    const other = await world.account('bluesky')
    await pass(world, service, 6 * HOUR)
    t.equal(await usedLast(), other)
    t.notOk('lastError' in ((await lookAlike()) ?? {}))
  })

  await t.test('when an account is another workspace’s, then it is not used', async (t) => {
    for (const own of await connectedAccounts(world.db, world.workspaceId)) {
      await decideAccount(world, own.id, disconnectAccount)
    }
    const before = told.looks.length
    await world.account('bluesky', 'ws_other')
    await pass(world, service, 3 * DAY)
    t.equal(told.looks.length, before)
    t.match(await lookAlike(), { lastError: /^No account on bluesky is connected\. Connect one with: fanfare/ })
  })
})

t.test('given a look that is due', async (t) => {
  const { world, service, add, account: connect } = await given(t)
  await connect()
  const { id } = await add('bluesky', 'rival.example')
  await pass(world, service, 0)

  await t.test('when the process dies before or after any act, then the day has one look', async (t) => {
    const run = async (point?: { act: number; moment: 'before' | 'after' }) => {
      await pass(world, await givenProcess(world), DAY - HOUR)
      await world.clock.advanceTo(world.clock.now() + 2 * HOUR)
      const before = await looksOf(world, id)
      const fuse = fused(world, point)
      await pass(world, await givenProcess(world, { ...fuse, slots: 1, competitors: true }), 0).catch(
        (error: unknown) => {
          if (!fuse.dead()) throw error
        },
      )
      await pass(world, await givenProcess(world, { competitors: true }), 60_000)
      return { acts: fuse.acts, made: (await looksOf(world, id)).slice(before.length) }
    }
    await resetTables(world.db, projections)
    const { acts, made } = await run()
    t.equal(made.length, 1)
    t.ok(acts.length >= 3 && acts.includes('append CompetitorLooked'), acts.join(', '))
    for (let act = 0; act < acts.length; act += 1) {
      for (const moment of ['before', 'after'] as const) {
        await resetTables(world.db, projections)
        t.equal((await run({ act, moment })).made.length, 1, `died ${moment} ${acts[act]}`)
      }
    }
    t.same([...new Set(await typesOf(world, id))], ['CompetitorAdded', 'CompetitorLooked'])
  })

  await t.test('when two look at once, then one of them puts it down', async (t) => {
    await world.clock.advanceTo(world.clock.now() + 2 * DAY)
    const before = (await looksOf(world, id)).length
    const reactor = competitorReactor(competitorDeps(world))
    const row = { id: `competitor:${id}`, kind: 'competitor', subject: id, part: '', lane: '', dueAt: '' } as const
    const { signal } = new AbortController()
    await Promise.all(['one', 'two'].map((token) => reactor({ ...row, token }, signal)))
    t.equal((await looksOf(world, id)).length, before + 1)
    const again = await reactor({ ...row, token: 'three' }, signal)
    t.same(again, { kind: 'park', until: world.clock.now() + DAY }, 'nor is it made again before its time')
  })

  await t.test('when it is removed meanwhile, then nothing is recorded', async (t) => {
    await world.clock.advanceTo(world.clock.now() + 2 * DAY)
    const before = (await entriesOf(world, id)).length
    const http: World['http'] = {
      ...world.http,
      request: async (url, request) => {
        const answer = await world.http.request(url, request)
        await remove(world, id).catch(() => undefined)
        return answer
      },
    }
    await pass(world, await givenProcess(world, { competitors: true, http }), DAY)
    t.same((await typesOf(world, id)).slice(before), ['CompetitorRemoved', 'PersonalDataErased'])
  })
})
