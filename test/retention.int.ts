import t, { type Test } from 'tap'
import * as z from 'zod'
import { auditLog } from '../app/cli/audit-log.ts'
import { requireReauth } from '../commands/account-standing.ts'
import { receiveComment } from '../commands/comment.ts'
import { addCompetitor, recordLook, removeCompetitor } from '../commands/competitor.ts'
import { connectAccount } from '../commands/connect-account.ts'
import { disconnectAccount } from '../commands/disconnect-account.ts'
import { setAutomation } from '../commands/set-automation.ts'
import { requestErasure } from '../commands/erasure.ts'
import { handle, load } from '../commands/handle.ts'
import { account, NO_AUTOMATION, type AccountEvent, type AccountState } from '../domain/account/account.ts'
import { competitor, competitorId, type CompetitorEvent, type CompetitorState } from '../domain/analytics/competitor.ts'
import { ANALYTICS_PLATFORMS } from '../domain/analytics/metrics.ts'
import { comment, commentStreamId } from '../domain/conversation/comment.ts'
import { CONVERSATION_PLATFORMS, type ConversationPlatform } from '../domain/core/platform.ts'
import { erasure } from '../domain/workspace/erasure.ts'
import { ERASED } from '../domain/core/personal-data.ts'
import { HttpFailure } from '../infra/http/http.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import type { Credentials } from '../platforms/kit/platform.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { RETENTION } from '../platforms/retention.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { findAccount } from '../projections/models/accounts.ts'
import { projections } from '../projections/models/index.ts'
import { rebuild } from '../projections/rebuild/rebuild.ts'
import { retainReactor } from '../reactors/privacy/retain.ts'
import { createErasableKeys } from '../event-log/postgres/erasable-keys.ts'
import { forgetAccount } from '../reactors/accounts/connect-account.ts'
import { published } from './support/analytics.ts'
import { pass } from './support/comments.ts'
import { ids } from './support/sandbox.ts'
import { accessOf, causedBy, givenProcess, givenWorld, logOf, vaultOf, type World } from './support/world.ts'

/* What a platform's terms do not allow to be kept is erased in time. */

const MINUTE = 60_000
const DAY = 86_400_000
/** Longer than any platform's terms allow. */
const LONGEST = 31 * DAY

async function given(t: Test, platform: ConversationPlatform) {
  const world = await givenWorld(t)
  const { workspaceId, clock } = world
  const service = await givenProcess(world)
  const accountId = await world.account(platform)
  await service.step()
  const label = (await findAccount(world.db, accountId))?.label ?? ''
  const state = await load(world.log, account, accountId)
  if (state.status === 'absent') throw new Error('the account is not connected')
  const { externalId, baseUrl } = state
  return {
    ...{ world, accountId, label },
    pass: (ms: number) => pass(world, service, ms),
    /** Somebody comments; returns the id of the comment's stream. */
    commented: async (text: string) => {
      const id = commentStreamId(accountId, text)
      const content = {
        ...({ workspaceId, platform, accountId, commentId: text, kind: 'comment', author: 'Ada', text } as const),
        ...{ createdAt: isoTime(clock.now()), references: {}, replied: false },
      }
      await handle(world, comment, id, causedBy(id), (before) => receiveComment(before, content))
      return id
    },
    isErased: async (id: string) => {
      const found = await load(world.log, comment, id)
      return found.status === 'received' && found.isErased === true
    },
    disconnect: () => handle(world, account, accountId, causedBy(ids.token()), disconnectAccount),
    connect: () =>
      handle(world, account, accountId, causedBy(ids.token()), (before) =>
        connectAccount(before, { workspaceId, platform, externalId, label, ...(baseUrl && { baseUrl }) }),
      ),
    row: () => findAccount(world.db, accountId),
  }
}

for (const platform of CONVERSATION_PLATFORMS) {
  const { commentsMs, afterDisconnectMs } = RETENTION[platform]

  t.test(`given comments on a connected account on ${platform}`, async (t) => {
    const { world, pass, commented, isErased } = await given(t, platform)
    const first = await commented('first')
    if (commentsMs === undefined) {
      await pass(LONGEST)
      t.equal(await isErased(first), false, 'then they are kept')
      return
    }
    await pass(0.9 * commentsMs)
    t.equal(await isErased(first), false)
    const second = await commented('second')
    await pass(0.1 * commentsMs)
    t.equal(await isErased(first), true, 'then each is erased in time')
    t.equal(await isErased(second), false)
    await pass(0.9 * commentsMs)
    t.equal(await isErased(second), true)
    t.match(await auditLog({ log: logOf(world) }), { intact: true })
  })

  t.test(`given an account on ${platform} that is disconnected`, async (t) => {
    const { world, accountId, label, pass, commented, isErased, disconnect, connect, row } = await given(t, platform)
    const id = await commented('first')

    if (afterDisconnectMs > 0) {
      await t.test('when it is connected again soon, then nothing is erased', async (t) => {
        await disconnect()
        await pass(afterDisconnectMs - MINUTE)
        t.equal(await isErased(id), false)
        await connect()
        await pass(10 * MINUTE)
        t.equal(await isErased(id), false)
        t.match(await row(), { label, connected: true })
      })
    }

    await t.test('when it is not, then its comments, its name and its instruction are erased', async (t) => {
      const change = { mode: 'auto', instruction: 'Sign as Bo' } as const
      await handle(world, account, accountId, causedBy(ids.token()), (before) => setAutomation(before, change))
      t.match(await load(world.log, account, accountId), { automation: change })
      const { rows: stored } = await world.db.query<{ row: string }>('select e::text as row from log.events e')
      for (const { row } of stored) t.notMatch(row, change.instruction)
      await disconnect()
      if (afterDisconnectMs > 0) {
        const erasureId = resourceId('ers', ids.ulid())
        const filter = { workspaceId: world.workspaceId, before: isoTime(world.clock.now()) }
        await handle(world, erasure, erasureId, causedBy(erasureId), (before) => requestErasure(before, filter))
        await pass(2 * MINUTE)
        t.match(await row(), { label }, 'another erasure leaves the name')
      }
      await pass(afterDisconnectMs + 3 * MINUTE)
      t.equal(await isErased(id), true)
      t.match(await row(), { label: ERASED, connected: false })
      const log = logOf(world)
      const names = (await log.read(`account-${accountId}`)).flatMap(({ data }) =>
        'label' in data ? [data.label] : [],
      )
      t.ok(names.length > 0)
      t.same([...new Set(names)], [ERASED])
      t.match(await load(log, account, accountId), { automation: NO_AUTOMATION })
      t.match((await row())?.automation, NO_AUTOMATION)
      const { rows } = await world.db.query("select kind from read.agenda where kind in ('retain', 'erase')")
      t.same(rows, [], 'and nothing is left to do')
      await log.close()
    })

    await t.test('when it is connected later, then it has a name again, and is erased again', async (t) => {
      await connect()
      await pass(MINUTE)
      t.match(await row(), { label, connected: true })
      const second = await commented('second')
      await pass(MINUTE)
      t.equal(await isErased(second), false)
      await disconnect()
      await pass(afterDisconnectMs + 3 * MINUTE)
      t.equal(await isErased(second), true)
      t.match(await row(), { label: ERASED })
      t.match(await auditLog({ log: logOf(world) }), { intact: true })
    })
  })
}

/** What the log and the read models have of the figures of posts and competitors. */
async function figuresIn({ db }: World) {
  const { rows } = await db.query<{ posts: number; readings: number; competitors: number }>(
    `select (select count(*)::int from read.post_metrics where metrics is not null) as posts,
       (select count(*)::int from read.metric_snapshots) as readings,
       (select count(*)::int from read.competitors where figures::text <> '{}' or counts::text <> '[]') as competitors`,
  )
  return rows[0]
}

/** Whether the log has no figure that can be read without a key. */
async function mustBeEncrypted(t: Test, { db }: World) {
  const { rows } = await db.query<{ data: object }>(
    "select data from log.events where type in ('MetricsCaptured', 'CompetitorLooked')",
  )
  t.ok(rows.length > 0)
  const figures = ['metrics', 'hashtags', 'handle', 'label', 'followers', 'posts', 'views', 'postsPerWeek']
  for (const { data } of rows)
    t.same(
      Object.keys(data).filter((name) => figures.includes(name) || /Per/.test(name)),
      [],
    )
}

/** Rebuilds the read models from the log as it is now, and compares. */
async function mustBeRebuiltAlike(t: Test, world: World) {
  const log = logOf(world)
  const projector = createProjector({ ...world, log, projections, logger: createLogger('silent') })
  const signal = new AbortController().signal
  const found = await rebuild({ ...world, log, projector, signal, progress: () => undefined }, projections, {})
  t.same(
    found.filter(({ compared }) => compared !== 'equal'),
    [],
  )
  t.match(await auditLog({ log }), { intact: true })
  await log.close()
}

for (const platform of ANALYTICS_PLATFORMS) {
  const { metricsMs, afterDisconnectMs } = RETENTION[platform]

  t.test(`given a post on ${platform} whose metrics were read`, async (t) => {
    const world = await givenWorld(t)
    const service = await givenProcess(world, { metrics: true })
    const accountId = await world.account(platform)
    await published(world, service, { [platform]: [accountId] }, ['#bread'])
    await pass(world, service, 2 * DAY)
    t.match(await figuresIn(world), { posts: 1, readings: 4 })
    await mustBeEncrypted(t, world)
    const decide = (decision: (state: AccountState) => readonly AccountEvent[]) =>
      handle(world, account, accountId, causedBy(ids.token()), decision)

    await t.test('when the platform no longer lets it be read', async (t) => {
      await decide((state) => requireReauth(state, 'The access was revoked.'))
      await pass(world, service, 28 * DAY)
      t.match(await figuresIn(world), { posts: 1, readings: 4 }, 'then its metrics are kept')
      await pass(world, service, 2 * DAY)
      const left = metricsMs === undefined ? { posts: 1, readings: 4 } : { posts: 0, readings: 0 }
      t.match(await figuresIn(world), left, 'but no longer than the platform allows')
      await mustBeRebuiltAlike(t, world)
    })

    await t.test('when it can be read again, then there are metrics again', async (t) => {
      const state = await load(world.log, account, accountId)
      if (state.status === 'absent') throw new Error('there is no account')
      const { workspaceId, externalId, label, baseUrl } = state
      const connection = { workspaceId, platform, externalId, label, ...(baseUrl !== undefined && { baseUrl }) }
      await decide((before) => connectAccount(before, connection))
      await pass(world, service, DAY)
      t.match(await figuresIn(world), { posts: 1 })
      await mustBeRebuiltAlike(t, world)
    })

    await t.test('when the account is disconnected, then they are erased', async (t) => {
      await decide(disconnectAccount)
      if (afterDisconnectMs > 0) {
        await pass(world, service, afterDisconnectMs - MINUTE)
        t.match(await figuresIn(world), { posts: 1 }, 'in time')
      }
      await pass(world, service, 4 * MINUTE)
      t.match(await figuresIn(world), { posts: 0, readings: 0 })
      const log = logOf(world)
      for (const { type, isErased, data } of await log.read(`metrics-${await metricsIdIn(world)}`)) {
        if (type === 'MetricsCaptured')
          t.match({ isErased, data }, { isErased: true, data: { metrics: {}, hashtags: [] } })
      }
      await log.close()
      await mustBeRebuiltAlike(t, world)
      const { rows } = await world.db.query("select kind from read.agenda where kind in ('retain', 'erase')")
      t.same(rows, [], 'and nothing is left to do')
    })
  })
}

async function metricsIdIn({ db }: World): Promise<string> {
  const { rows } = await db.query<{ id: string }>('select id from read.post_metrics')
  return rows[0]?.id ?? ''
}

for (const platform of ['youtube', 'x', 'bluesky'] as const) {
  t.test(`given a competitor on ${platform} whose figures were read`, async (t) => {
    const world = await givenWorld(t)
    const { workspaceId } = world
    const accountId = await world.account(platform)
    const id = competitorId(workspaceId, platform, 'rival')
    const decide = (decision: (state: CompetitorState) => readonly CompetitorEvent[]) =>
      handle(world, competitor, id, causedBy(ids.token()), decision)
    const add = () =>
      decide((state) =>
        addCompetitor(state, {
          workspaceId,
          platform,
          accountId,
          externalId: 'rival',
          handle: 'rival',
          label: 'A rival',
        }),
      )
    const read = () =>
      decide((state) =>
        recordLook(state, { accountId, handle: 'rival', label: 'Rival', followers: 70, postsPerWeek: 1, views: 5 }),
      )
    const service = await givenProcess(world)
    const legible = async () => {
      const log = logOf(world)
      const events = await log.read(`competitor-${id}`)
      await log.close()
      return events.filter(({ type, isErased }) => type === 'CompetitorLooked' && !isErased).length
    }
    await add()
    for (let day = 0; day < 3; day += 1) {
      await read()
      await pass(world, service, DAY)
    }
    await mustBeEncrypted(t, world)
    t.match(await figuresIn(world), { competitors: 1 })

    await t.test('when time passes, then each reading is erased as soon as the platform requires', async (t) => {
      const isLimited = RETENTION[platform].competitorsMs !== undefined
      await pass(world, service, 26 * DAY)
      t.equal(await legible(), 3)
      for (let day = 1; day <= 3; day += 1) {
        await pass(world, service, DAY)
        t.equal(await legible(), isLimited ? 3 - day : 3)
        await mustBeRebuiltAlike(t, world)
      }
      t.match(await figuresIn(world), { competitors: isLimited ? 0 : 1 })
    })

    await t.test('when another is read, then it is shown', async (t) => {
      await read()
      await pass(world, service, MINUTE)
      const { rows } = await world.db.query('select label, figures from read.competitors')
      t.match(rows, [{ label: 'Rival', figures: { followers: 70 } }])
    })

    await t.test('when it is removed, then all of them are erased', async (t) => {
      await decide(removeCompetitor)
      await pass(world, service, MINUTE)
      t.equal(await legible(), 0)
      const { rows } = await world.db.query("select 1 from read.agenda where kind = 'retain' and subject = $1", [id])
      t.same(rows, [], 'and nothing is left to do')
    })

    await t.test('when it is added again, then it is as new, and can be removed again', async (t) => {
      await add()
      await read()
      await pass(world, service, MINUTE)
      t.equal(await legible(), 1)
      await mustBeRebuiltAlike(t, world)
      await decide(removeCompetitor)
      await pass(world, service, MINUTE)
      t.equal(await legible(), 0)
    })
  })
}

const SESSION = z.object({ refreshJwt: z.string(), pdsUrl: z.string() })

for (const platform of ['youtube', 'tiktok', 'x', 'bluesky'] as const) {
  t.test(`given an account on ${platform}`, async (t) => {
    const world = await givenWorld(t)
    const vault = vaultOf(world)
    const works = async (credentials: Credentials) => {
      if (platform === 'bluesky') {
        const { refreshJwt, pdsUrl } = SESSION.parse(credentials)
        const url = `${pdsUrl}/xrpc/com.atproto.server.refreshSession`
        const headers = { authorization: `Bearer ${refreshJwt}` }
        return (await world.http.request(url, { method: 'POST', headers })).status === 200
      }
      return accessOf(world)
        .connecting(MINUTE, (io) =>
          world.platforms[platform].connect(credentials, `${world.sandbox.url}/${platform}`, io),
        )
        .then(
          () => true,
          () => false,
        )
    }

    t.equal(await works(await vault.get(await world.account(platform))), true)

    await t.test('when it is disconnected, then its access is revoked, and its credentials are gone', async (t) => {
      const id = await world.account(platform)
      const credentials = await vault.get(id)
      await world.clock.advanceTo(world.clock.now() + 1_000)
      await forgetAccount({ ...world, vault, access: accessOf(world) }, id, causedBy(`forget ${id}`))
      t.equal(await vault.find(id), undefined)
      t.equal(await works(credentials), false)
    })

    await t.test('when the platform cannot be reached, then that is done later', async (t) => {
      const id = await world.account(platform)
      const credentials = await vault.get(id)
      const http: World['http'] = {
        ...world.http,
        request: () => Promise.reject(new HttpFailure('unreachable', 'away', false)),
      }
      await forgetAccount({ ...world, vault, access: accessOf({ ...world, http }) }, id, causedBy(`forget ${id}`))
      t.same(await vault.find(id), credentials)
      await pass(world, await givenProcess(world, { http }), 15 * MINUTE)
      t.same(await vault.find(id), credentials, 'and again, until it can')
      await pass(world, await givenProcess(world), 15 * MINUTE)
      t.equal(await vault.find(id), undefined)
      t.equal(await works(credentials), false)
    })

    // The same code for all: YouTube's terms would only take a week of attempts.
    if (RETENTION[platform].afterDisconnectMs <= DAY) {
      await t.test('when the platform can never be reached, then the credentials are deleted in the end', async (t) => {
        const id = await world.account(platform)
        const request = () => Promise.reject(new HttpFailure('unreachable', 'away', false))
        const http: World['http'] = { ...world.http, request }
        await forgetAccount({ ...world, vault, access: accessOf({ ...world, http }) }, id, causedBy(`forget ${id}`))
        await pass(world, await givenProcess(world, { http }), RETENTION[platform].afterDisconnectMs + 3 * MINUTE)
        t.equal(await vault.find(id), undefined)
        t.match(await findAccount(world.db, id), { label: ERASED })
      })
    }

    await t.test('when another workspace has the same account, then its access is not revoked', async (t) => {
      const id = await world.account(platform)
      const credentials = await vault.get(id)
      await world.connect(platform, { credentials, baseUrl: `${world.sandbox.url}/${platform}` }, 'ws_other')
      await (await givenProcess(world)).step()
      await forgetAccount({ ...world, vault, access: accessOf(world) }, id, causedBy(`forget ${id}`))
      t.equal(await vault.find(id), undefined)
      t.equal(await works(credentials), true)
    })

    await t.test('when it is connected again meanwhile, then its new credentials are kept', async (t) => {
      const id = await world.account(platform)
      const http: World['http'] = {
        ...world.http,
        request: async (url, request) => {
          await vault.put(world.workspaceId, id, { accessToken: 'new' })
          return world.http.request(url, request)
        },
      }
      await forgetAccount({ ...world, vault, access: accessOf({ ...world, http }) }, id, causedBy(`forget ${id}`))
      t.same(await vault.find(id), { accessToken: 'new' })
    })
  })
}

t.test(
  'given an account of yesterday, when its platform cannot be asked who connected it, then it is asked again soon',
  async (t) => {
    const world = await givenWorld(t)
    const accountId = resourceId('acc', ids.ulid())
    const connection = {
      workspaceId: world.workspaceId,
      platform: 'facebook',
      externalId: '1',
      label: 'A page',
    } as const
    await handle(world, account, accountId, causedBy(accountId), (before) => connectAccount(before, connection))
    let asked = 0
    const retain = retainReactor({
      ...world,
      retention: RETENTION,
      keys: createErasableKeys({ ...world, vault: vaultOf(world) }),
      endAccess: async () => true,
      ownerOf: async () => ((asked += 1) === 1 ? { isUnreachable: true } : { ownerId: 'person_1' }),
    })
    const work = () =>
      retain({ subject: accountId, part: '' } as Parameters<typeof retain>[0], new AbortController().signal)
    t.same(await work(), { kind: 'park', until: world.clock.now() + 10 * MINUTE })
    await work()
    t.match(await load(world.log, account, accountId), { ownerId: 'person_1' })
    t.match(await work(), { kind: 'park' })
    t.equal(asked, 2, 'and not again once it is known')
  },
)
