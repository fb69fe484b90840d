import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { diagnose, report, type Diagnosis } from '../cli/doctor.ts'
import { requireReauth } from '../commands/account-standing.ts'
import { queueDelivery } from '../commands/delivery.ts'
import { addFeed, feedChecked } from '../commands/feed.ts'
import { handle } from '../commands/handle.ts'
import { registerWebhook } from '../commands/webhook.ts'
import { account } from '../domain/account.ts'
import { delivery } from '../domain/delivery.ts'
import { feed } from '../domain/rss-feed.ts'
import { webhook } from '../domain/webhook.ts'
import { projections } from '../projections/index.ts'
import { createProjector } from '../projections/projector.ts'
import { systemClock } from '../system/clock.ts'
import { createLogger } from '../system/logger.ts'
import { connectionStringOf } from './support/api.ts'
import { virtualClock } from './support/virtual-clock.ts'
import { causedBy, ENCRYPTION_KEY, givenProcess, givenWorld, vaultOf } from './support/world.ts'

async function folder(t: Test): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'fanfare-doctor-'))
  t.teardown(() => rm(made, { recursive: true, force: true }))
  return made
}

/** What it found wrong, as `check: finding`. */
function wrong({ findings }: Diagnosis): readonly string[] {
  return findings.flatMap(({ check, level, finding }) => (level === 'ok' ? [] : [`${level}, ${check}: ${finding}`]))
}

t.test('given a service with accounts, a feed, a webhook and a post', async (t) => {
  const world = await givenWorld(t, { clock: virtualClock(systemClock.now()) })
  const service = await givenProcess(world)
  const { workspaceId } = world
  const environment = {
    DATABASE_URL: connectionStringOf(world.db),
    ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
    DATA_DIR: await folder(t),
    PUBLIC_URL: 'https://fanfare.example.org',
  }
  const look = () => diagnose(environment, () => undefined)
  const accounts: string[] = []
  for (const platform of ['bluesky', 'x', 'threads', 'linkedin'] as const) accounts.push(await world.account(platform))
  const [works = '', refused = '', lost = '', expired = ''] = accounts
  await handle(world, feed, 'feed_1', causedBy('feed'), (state) =>
    addFeed(state, {
      ...{ workspaceId, url: `${world.sandbox.url}/feed.xml`, selections: { bluesky: [works] } },
      ...{ captionTemplate: '{title}', checkIntervalMinutes: 60 },
    }),
  )
  const id = await service.queue({ selections: { bluesky: [works] } })
  await service.drain()
  await handle(world, webhook, 'wh_1', causedBy('webhook'), (state) =>
    registerWebhook(state, { workspaceId, url: 'https://example.com/hook', events: ['post.published'] }, 0),
  )
  await vaultOf(world).put(workspaceId, 'wh_1', { secret: 'whsec_1' })

  await t.test('when nothing is wrong, then all is well', async (t) => {
    const diagnosis = await look()
    t.same(wrong(diagnosis), [])
    t.equal(diagnosis.healthy, true)
    t.ok(diagnosis.findings.length > 15)
    t.match(report(diagnosis), /All is well\.$/)
  })

  await t.test('when only their owners can help, then it names each with its remedy, and is no failure', async (t) => {
    await handle(world, account, refused, causedBy('reauth'), (state) =>
      requireReauth(state, 'the password has changed'),
    )
    await vaultOf(world).put(workspaceId, expired, { accessToken: 'a', expiresAt: '2026-01-01T00:00:00.000Z' })
    await handle(world, feed, 'feed_1', causedBy('check'), (state) => feedChecked(state, { error: '404 Not Found' }))
    const content = { workspaceId, webhookId: 'wh_1', eventId: 'evt_1', event: 'post.published' as const, body: '{}' }
    const attempt = { attempt: 1, statusCode: 500, durationMs: 3, error: 'HTTP 500' }
    await handle(world, delivery, 'dlv_1', causedBy('delivery'), (state) => [
      ...queueDelivery(state, content),
      { type: 'DeliveryFailed', data: attempt } as const,
    ])
    await service.step()
    const diagnosis = await look()
    t.match(wrong(diagnosis), [
      new RegExp(`^warning, accounts: x .*\\(${refused}\\) must be connected again: the password has changed$`),
      new RegExp(`^warning, expiry: .*\\(${expired}\\) ended at 2026-01-01T00:00:00.000Z$`),
      /^warning, feeds: feed feed_1 \(http.*\/feed\.xml\): 404 Not Found$/,
      /^warning, deliveries: webhook wh_1 .* 1 deliveries of the last 3 days have failed for good, one with HTTP 500$/,
    ])
    t.equal(wrong(diagnosis).length, 4)
    t.equal(diagnosis.healthy, true)
    t.match(report(diagnosis), /-> Connect it again: fanfare accounts connect x --workspace/)
    t.match(report(diagnosis), /\n0 problems, 4 warnings\.$/)
  })

  await t.test('when secrets are gone or sealed under another key, then it is a problem', async (t) => {
    await vaultOf(world).remove(lost)
    t.match(
      wrong(await look()).filter((line) => line.startsWith('problem')),
      [new RegExp(`^problem, secrets: threads .*\\(${lost}\\) has no credentials stored$`)],
    )
    const other = await diagnose(
      { ...environment, ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') },
      () => undefined,
    )
    const problems = wrong(other).filter((line) => line.startsWith('problem'))
    t.equal(problems.length, accounts.length + 1)
    t.match(problems.join('\n'), /can not be opened/)
    t.equal(other.healthy, false)
  })

  await t.test('when a promise was dropped, then it names what nobody will bring on', async (t) => {
    const dropped = await service.queue({ selections: { bluesky: [works] } })
    const late = await service.queue({ selections: { bluesky: [works] } })
    // Shown, and not taken up.
    await createProjector({ ...world, projections, logger: createLogger('silent') }).catchUp()
    await world.db.query('delete from read.agenda where subject = $1', [dropped])
    await world.db.query("update read.agenda set due_at = due_at - interval '5 minutes' where subject = $1", [late])
    const problems = wrong(await look()).filter((line) => line.startsWith('problem'))
    t.match(problems, [
      /^problem, agenda: 1 rows are due, the oldest for \d+ s; is a reactor running\?$/,
      new RegExp(`^problem, promises: ${dropped} is processing, and nothing is owed for it$`),
      /^problem, secrets/,
    ])
    t.notMatch(problems.join('\n'), id)
  })
})

t.test('given servers that are away, too old or settings that are wrong', async (t) => {
  const key = Buffer.alloc(32, 1).toString('base64')
  const DATA_DIR = await folder(t)
  const look = (environment: Record<string, string>) => diagnose({ DATA_DIR, ...environment }, () => undefined)

  await t.test('when no server answers, then each is named, and nothing is waited for', async (t) => {
    const away = await look({
      ...{ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:9/none', ENCRYPTION_KEY: key },
      ...{ NATS_URL: 'nats://127.0.0.1:9', EVENTSTORE_URL: 'esdb://127.0.0.1:9?tls=false' },
    })
    t.match(wrong(away), [/^problem, postgres: not reachable/, /^problem, eventstoredb: not/, /^warning, nats: not/])
    t.equal(away.healthy, false)
  })

  await t.test('when settings are wrong, then each is named', async (t) => {
    const { findings, healthy } = await look({ PORT: 'x', SCHEDULE_GRACE: 'soon' })
    t.match(findings, [
      { level: 'problem', check: 'settings', finding: /^PORT: / },
      { level: 'problem', check: 'settings', finding: /^SCHEDULE_GRACE: must be a number with a unit/ },
    ])
    t.equal(healthy, false)
  })
})
