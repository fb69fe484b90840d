import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { connect, disconnect } from '../app/cli/accounts.ts'
import { addCompetitorTo, competitorsOf, removeCompetitorOf } from '../app/cli/competitors.ts'
import { addWorkspace } from '../app/cli/workspaces.ts'
import { openCore, type Core } from '../app/wiring/core.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { readSettings } from '../infra/runtime/settings.ts'
import { DAY } from './support/analytics.ts'
import { connectionStringOf, givenApi, type ApiWorld } from './support/api.ts'
import { givenAccount } from './support/sandbox.ts'
import { ENCRYPTION_KEY, givenProcess } from './support/world.ts'

const pageSchema = z.object({
  competitors: z.array(z.record(z.string(), z.unknown())),
  nextCursor: z.string().nullable(),
})

/** The command line, beside the service whose API it is. */
async function givenCommandLine(t: Test, { world }: ApiWorld): Promise<Core> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-core-'))
  const settings = readSettings({
    ...{ DATA_DIR: dataDir, DATABASE_URL: connectionStringOf(world.db), OUTBOUND_ALLOW: '127.0.0.1' },
    ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
  })
  const core = await openCore(settings, createLogger('silent'), () => undefined)
  t.teardown(async () => {
    await core.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return core
}

t.test('given competitors that are added by the command line', async (t) => {
  const api = await givenApi(t)
  const { world } = api
  const core = await givenCommandLine(t, api)
  const service = await givenProcess(world, { competitors: true })
  const work = async () => {
    while ((await service.step()) > 0);
  }
  const { id: workspaceId } = await addWorkspace(core, 'own')
  const key = await api.key({ workspaceId })
  const get = (query = '', as = key) => api.call({ path: `/v1/analytics/competitors${query}`, key: as })
  const page = async (query = '', as = key) => pageSchema.parse((await get(query, as)).body)
  const add = (platform: string, handle: string, workspace = 'own') =>
    addCompetitorTo(core, { platform, handle, workspace })
  const link = async (platform: 'x' | 'bluesky' | 'youtube') => {
    const { credentials, baseUrl } = await givenAccount(world.http, world.sandbox, platform)
    return (await connect(core, { platform, workspace: 'own', credentials, baseUrl })).id
  }

  let onX = ''

  await t.test('when nothing can be found, then it says why, and nothing is kept', async (t) => {
    const only = /provides no data about other accounts; choose one of youtube, x, bluesky$/
    await t.rejects(add('pinterest', 'rival'), { code: 'invalid_request', message: only })
    await t.rejects(add('myspace', 'tom'), { code: 'invalid_request', message: /^myspace provides no data/ })
    await t.rejects(add('x', 'rival', 'nowhere'), { code: 'not_found', message: /There is no workspace nowhere/ })
    const connectOne = /^No account on x is connected\. Connect one with: fanfare accounts connect x$/
    await t.rejects(add('x', 'rival'), { code: 'failed_precondition', message: connectOne })
    onX = await link('x')
    await t.rejects(add('x', 'nobody'), {
      code: 'not_found',
      message: /^No account nobody was found on x: enter its handle/,
    })
    await t.rejects(competitorsOf(core, 'nowhere'), { code: 'not_found' })
    await t.rejects(removeCompetitorOf(core, 'cmp_none'), { code: 'not_found' })
    t.same(await page(), { competitors: [], nextCursor: null })
    t.same(await competitorsOf(core, 'own'), [])
  })

  await t.test(
    'when some are added, then they are listed at once, the last first, without what is not known',
    async (t) => {
      await link('bluesky')
      await link('youtube')
      const first = await add('x', 'https://x.com/Rival')
      t.match(first, { id: /^cmp_[0-9A-Z]{26}$/, platform: 'x', handle: 'rival', label: 'Stranger rival' })
      t.same(await add('x', '@rival'), first, 'the same is the same')
      const second = await add('bluesky', 'rival.example')
      const third = await add('youtube', '@rival')
      const { competitors } = await page()
      t.same(
        competitors.map(({ createdAt: _, ...shown }) => shown),
        [third, second, first],
      )
      t.same(await competitorsOf(core, 'own'), competitors)
    },
  )

  await t.test("when they have been checked, then their platforms' data is shown, page by page", async (t) => {
    await work()
    const whole = await page('?limit=3')
    t.equal(whole.nextCursor, null)
    const [youtube, bluesky, x] = whole.competitors
    for (const one of whole.competitors) {
      t.match(
        one,
        { followers: Number, postsPerWeek: Number, interactionsPerPost: Number, lookedAt: String },
        String(one['platform']),
      )
      t.notOk('followersChange30d' in one || 'lastError' in one)
    }
    t.match([youtube?.['viewsPerPost'], x?.['viewsPerPost']], [Number, Number])
    t.notOk(bluesky && 'viewsPerPost' in bluesky, 'absent, never zero')
    t.same(await competitorsOf(core, 'own'), whole.competitors)

    const seen: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const next = await page(`?limit=1${cursor && `&cursor=${cursor}`}`)
      seen.push(...next.competitors)
      cursor = next.nextCursor
    }
    t.same(seen, whole.competitors)
  })

  await t.test('when nearly a month has passed, then it shows how their followers have changed', async (t) => {
    await world.clock.advanceTo(world.clock.now() + 29 * DAY)
    await work()
    for (const { platform, followers, followersChange30d } of (await page()).competitors) {
      t.ok(Number(followersChange30d) >= 0 && Number(followersChange30d) < Number(followers), String(platform))
    }
  })

  await t.test(
    'when the accounts that look are gone, then what is known stays, and why there is no more',
    async (t) => {
      await disconnect(core, onX)
      await world.clock.advanceTo(world.clock.now() + 2 * DAY)
      await work()
      const x = (await page()).competitors.find(({ platform }) => platform === 'x')
      t.match(x, {
        followers: Number,
        lastError: /^No account on x is connected\. Connect one with: fanfare accounts connect x$/,
      })
    },
  )

  await t.test('when one is removed, then it is gone', async (t) => {
    const before = (await page()).competitors
    const id = String(before[1]?.['id'])
    t.same(await removeCompetitorOf(core, id), { id, removed: true })
    t.same((await page()).competitors, before.toSpliced(1, 1))
    await t.rejects(removeCompetitorOf(core, id), { code: 'not_found', message: 'No such competitor.' })
  })

  await t.test('when another workspace asks, or the request is malformed, then nothing is revealed', async (t) => {
    t.same(await page('', await api.key()), { competitors: [], nextCursor: null })
    const poor = await api.key({ workspaceId, scopes: ['posts:read'] })
    t.match(await get('', poor), { status: 403, code: 'insufficient_scope' })
    for (const query of ['?limit=0', '?limit=101', '?limit=x', '?cursor=x']) {
      t.match(await get(query), { status: 400, code: 'invalid_request' }, query)
    }
  })
})
