import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { diagnose, report, type Diagnosis } from '../app/cli/doctor.ts'
import { explain } from '../app/cli/explain.ts'
import { healthChecks } from '../app/wiring/health-checks.ts'
import { requireReauth } from '../commands/account-standing.ts'
import { queueDelivery } from '../commands/delivery.ts'
import { addFeed, feedChecked } from '../commands/feed.ts'
import { handle } from '../commands/handle.ts'
import { registerWebhook } from '../commands/webhook.ts'
import { account } from '../domain/account/account.ts'
import { delivery } from '../domain/webhook/delivery.ts'
import { feed } from '../domain/feed/rss-feed.ts'
import { webhook } from '../domain/webhook/webhook.ts'
import { LogUnavailable } from '../event-log/event-log.ts'
import { projections } from '../projections/models/index.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { isoTime, systemClock } from '../infra/runtime/clock.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { connectionStringOf } from './support/api.ts'
import { tampered, treeOf } from './support/tree.ts'
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
    // Of this month, so that it is not about to end whenever this runs.
    LINKEDIN_VERSION: isoTime(systemClock.now()).slice(0, 7).replace('-', ''),
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
    registerWebhook(state, { workspaceId, url: 'https://example.com/hook', events: ['post.published'] }),
  )
  await vaultOf(world).put(workspaceId, 'wh_1', { secret: 'whsec_1' })

  await t.test('when nothing is wrong, then all is well', async (t) => {
    const { DATA_DIR } = environment
    const media = join(DATA_DIR, 'media')
    await mkdir(media)
    for (const open of [DATA_DIR, media]) await chmod(open, 0o755)
    const diagnosis = await look()
    t.same(wrong(diagnosis), [])
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777
    t.equal(await modeOf(DATA_DIR), process.geteuid?.() === 0 ? 0o711 : 0o700, 'the data folder is closed')
    t.equal(await modeOf(media), 0o700, 'and what lies in it')
    t.equal(diagnosis.healthy, true)
    t.ok(diagnosis.findings.length > 15)
    t.match(report(diagnosis), /linkedin: version \d{6} of its API, which is not promised beyond/i)
    t.notMatch(report(diagnosis), /facebook: version/i, 'as there is no account')

    await t.test('and an account holds the app of the operator for a host that is not trusted', async (t) => {
      const { clientId = '' } = await vaultOf(world).get(refused)
      const owner = { ...environment, X_CLIENT_ID: clientId }
      const found = wrong(await diagnose(owner, () => undefined))
      t.match(found, [new RegExp(`^warning, apps: account ${refused} at ${world.sandbox.url}/x .* APP_HOSTS`)])
      t.equal(found.length, 1)
      t.same(wrong(await diagnose({ ...owner, APP_HOSTS: world.sandbox.url }, () => undefined)), [])
    })

    await t.test('and a version of an API has ended, then it is a problem', async (t) => {
      const diagnosis = await diagnose({ ...environment, LINKEDIN_VERSION: '202510' }, () => undefined)
      t.same(wrong(diagnosis), ['problem, api: LinkedIn: version 202510 of its API ended on 2026-10-15'])
      t.equal(diagnosis.healthy, false)
    })
    t.match(report(diagnosis), /All is well\.$/)
  })

  await t.test('when only their owners can help, then it names each with its remedy, and is no failure', async (t) => {
    await handle(world, account, refused, causedBy('reauth'), (state) =>
      requireReauth(state, 'the password has changed'),
    )
    // As one that was released, or moved here.
    await vaultOf(world).remove(refused)
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
      new RegExp(`^warning, expiry: .*\\(${expired}\\) expired at 2026-01-01T00:00:00.000Z$`),
      /^warning, feeds: feed feed_1 \(http.*\/feed\.xml\): 404 Not Found$/,
      /^warning, deliveries: webhook wh_1 .* 1 deliveries have failed permanently in the last 3 days, one with: HTTP 500$/,
    ])
    t.equal(wrong(diagnosis).length, 4)
    t.equal(diagnosis.healthy, true)
    const again = `-> Connect the account again: fanfare accounts connect x --workspace ${workspaceId} --base-url ${world.sandbox.url}`
    t.ok(report(diagnosis).includes(again))
    t.match(report(diagnosis), /\n0 problems, 4 warnings\.$/)
  })

  // Nobody has read it, or takes it up.
  const late = await service.queue({ selections: { bluesky: [works] } })
  await t.test('when secrets are gone or sealed under another key, then it is a problem', async (t) => {
    await vaultOf(world).remove(lost)
    t.match(
      wrong(await look()).filter((line) => line.startsWith('problem')),
      [new RegExp(`^problem, secrets: threads .*\\(${lost}\\) has no stored credentials$`)],
    )
    const other = await diagnose(
      { ...environment, ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') },
      () => undefined,
    )
    const problems = wrong(other).filter((line) => line.startsWith('problem'))
    t.match(
      problems[0],
      /^problem, keys: 1 workspaces are encrypted under the master key \w{10}, but ENCRYPTION_KEY has /,
    )
    t.same(
      problems.map((line) => /, (\w+): /.exec(line)?.[1]),
      ['keys', 'projections', 'webhooks', 'secrets', 'secrets', 'secrets', 'secrets'],
      'what reads the log, the webhook, the account without credentials, and those with them',
    )
    t.match(problems.join('\n'), /cannot be decrypted/)
    t.equal(other.healthy, false)
  })

  await t.test('when the log is not what was signed, then it says so, until it is again', async (t) => {
    const tree = treeOf(world)
    const head = await tree.sign()
    const history = async () => (await look()).findings.filter(({ check }) => check === 'history')
    t.match(await history(), [{ level: 'ok', finding: `a signed head covers ${head?.size} events` }])
    const last = 'position = (select max(position) from log.events)'
    const { rows } = await world.db.query<{ data: object }>(`select data from log.events where ${last}`)
    await tampered(world, `update log.events set data = '{}' where ${last}`)
    t.match(await history(), [{ level: 'problem', finding: /^Event \d+ \(\S+ at \d+\) is not the one signed\./ }])
    await tampered(world, `update log.events set data = '${JSON.stringify(rows[0]?.data)}' where ${last}`)
    t.match(await history(), [{ level: 'ok' }])
    await world.db.query('update service.tree_heads set note = replace(note, $1, $2)', [`\n${head?.size}\n`, '\n1\n'])
    t.match(await history(), [{ level: 'problem', finding: /^The head of \d+ events cannot be used: / }])
    await world.db.query('update service.tree_heads set note = $1', [head?.note])
    // What only a look at the whole log finds is kept.
    await tampered(world, "update log.events set type = type || 'd' where position = 2")
    t.match(await history(), [{ level: 'ok' }])
    t.match(await tree.verify(), { faults: [String] })
    t.match(await history(), [
      { level: 'problem', finding: /^The first \d+ events are not those/, remedy: /audit verify/ },
    ])
    await tampered(world, 'update log.events set type = left(type, -1) where position = 2')
    t.match(await tree.verify(), { faults: [] })
    t.match(await history(), [{ level: 'ok' }])
  })

  await t.test('when work was dropped, then it names what will not continue', async (t) => {
    const dropped = await service.queue({ selections: { bluesky: [works] } })
    await createProjector({ ...world, projections, logger: createLogger('silent') }).catchUp()
    await world.db.query('delete from read.agenda where subject = $1', [dropped])
    await world.db.query("update read.agenda set due_at = due_at - interval '5 minutes' where subject = $1", [late])
    const problems = wrong(await look()).filter((line) => line.startsWith('problem'))
    t.match(problems, [
      /^problem, agenda: 1 rows are due, the oldest for \d+ s; is a reactor running\?$/,
      new RegExp(`^problem, promises: ${dropped} is processing, but no work is pending for it$`),
      /^problem, secrets/,
    ])
    t.notMatch(problems.join('\n'), id)
  })

  await t.test(
    'when a workspace fills its share of a pool, then it is named, and /readyz says what waits',
    async (t) => {
      const now = world.clock.now()
      await world.db.query(
        `insert into read.agenda (id, kind, subject, part, lane, due_at, lease_token, lease_owner, lease_until)
       select 'publish:full' || i, 'publish', 'post_full', '', 'publish/' || $1, $2, token, token, case when token is not null then $3::timestamptz end
       from generate_series(1, 30) i, lateral (select case when i <= 24 then 'token' end as token) leased`,
        [works, new Date(now - 90_000).toISOString(), new Date(systemClock.now() + 60_000).toISOString()],
      )
      const finding = `warning, shares: workspace ${workspaceId} uses its full share of publishing: 24 running, 7 waiting`
      t.ok(wrong(await look()).includes(finding))
      const ready = await healthChecks({ ...world, clock: systemClock })['agenda']?.()
      t.ok(Number(ready?.['publishOverdueMs']) >= 90_000)
      await world.db.query(`delete from read.agenda where subject = 'post_full'`)
    },
  )

  await t.test('when the agenda is at another position than the rest, then it does not say what is due', async (t) => {
    await world.db.query(`update read.checkpoints set position = position - 1 where name = 'agenda'`)
    const found = wrong(await look())
    t.ok(found.includes('warning, promises: not checked: the read models are at different events'))
    t.notMatch(found.join('\n'), /no work is pending/)
    await world.db.query(`update read.checkpoints set position = position + 1 where name = 'agenda'`)
  })

  await t.test('when a name is made to harm who copies a remedy, then it is one word of it', async (t) => {
    const name = "$(reboot)'; reboot \u001b[2J"
    await world.db.query('insert into read.workspaces (id, name, created_at) values ($1, $2, now())', [
      workspaceId,
      name,
    ])
    t.ok(report(await look()).includes(` --workspace '$(reboot)'\\''; reboot  [2J' --base-url`))
  })

  await t.test('when another version serves, then it leaves its read models alone, and says so', async (t) => {
    const versions = async () => (await world.db.query('select * from read.checkpoints order by name')).rows
    await world.db.query(`update read.checkpoints set version = 'next' where name = 'deliveries'`)
    const [before, found] = [await versions(), await look()]
    t.ok(wrong(found).includes('warning, version: these read models were built by another version: deliveries'))
    t.same(await versions(), before)
    t.equal((await world.db.query('select 1 from read.deliveries')).rowCount, 1)
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

  await t.test(
    'when a command reaches no server, then it says so in one line, unlike a fault of its own',
    async (t) => {
      const pool = new pg.Pool({ connectionString: 'postgres://nobody:x@127.0.0.1:9/none' })
      const refused = await pool.query('select 1').catch((error: unknown) => error)
      await pool.end()
      for (const error of [refused, new LogUnavailable('ECONNREFUSED 127.0.0.1:9')]) {
        t.match(
          explain(error),
          /^A server cannot be reached: .*ECONNREFUSED 127\.0\.0\.1:9\. Run "fanfare doctor"[^\n]*$/,
        )
      }
      t.match(explain(new TypeError('connect is not a function')), /^TypeError: .*\n +at /)
    },
  )

  await t.test(
    'when the folders above DATA_DIR are not there either, then it reports the free space for them',
    async (t) => {
      const environment = { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:9/none', ENCRYPTION_KEY: key }
      const { findings } = await look({ ...environment, DATA_DIR: join(DATA_DIR, 'not', 'there', 'yet') })
      t.match(
        findings.find(({ check }) => check === 'disk'),
        { finding: /MB free for DATA_DIR/ },
      )
    },
  )

  await t.test('when settings are wrong, then each is named', async (t) => {
    const { findings, healthy } = await look({ PORT: 'x', SCHEDULE_GRACE: 'soon' })
    t.match(findings, [
      { level: 'problem', check: 'settings', finding: /^PORT: / },
      { level: 'problem', check: 'settings', finding: /^SCHEDULE_GRACE: must be a number with a unit/ },
    ])
    t.equal(healthy, false)
  })
})
