import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { apiKeyFormat } from '../infra/runtime/key-format.ts'
import { abandonImport, type Abandoned } from '../app/cli/move/abandon.ts'
import { exported, type ExportDeps } from '../app/cli/move/export.ts'
import { FORMAT, lineWriter } from '../app/cli/move/format.ts'
import { importFile, type ImportDeps, type Imported } from '../app/cli/move/import.ts'
import { released } from '../app/cli/move/release.ts'
import { gatherWindow } from '../app/cli/move/windows.ts'
import { createResetLink } from '../commands/reset-link.ts'
import { enableTotp } from '../commands/totp.ts'
import { joinWorkspace } from '../commands/member.ts'
import { createUser, leaveWorkspace } from '../commands/user.ts'
import { member, memberIdOf } from '../domain/workspace/member.ts'
import { user, userIdOf } from '../domain/workspace/user.ts'
import { newResetLink } from '../infra/runtime/reset-link.ts'
import { createApiKey } from '../commands/create-api-key.ts'
import { createWorkspace } from '../commands/create-workspace.ts'
import { handle, load } from '../commands/handle.ts'
import { schedulePost } from '../commands/schedule-post.ts'
import type { Database } from '../infra/postgres/pool.ts'
import { account } from '../domain/account/account.ts'
import { apiKey } from '../domain/workspace/api-key.ts'
import { CATEGORIES, streamKinds } from '../domain/log/event-kinds.ts'
import { parseStreamName, type DomainEvent, type RecordedEvent, type StreamKind } from '../domain/core/event.ts'
import { post } from '../domain/post/post.ts'
import { feed } from '../domain/feed/rss-feed.ts'
import { dueAtMoment } from '../domain/post/wall-time.ts'
import { webhook } from '../domain/webhook/webhook.ts'
import { workspace } from '../domain/workspace/workspace.ts'
import { START, type EventLog } from '../event-log/event-log.ts'
import { eventStoreDbLog } from '../event-log/eventstoredb/log.ts'
import { postgresLog } from '../event-log/postgres/log.ts'
import { createCeilings } from '../projections/models/ceilings.ts'
import { projections } from '../projections/models/index.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { findPost } from '../projections/models/posts.ts'
import { progressOf } from '../projections/engine/tables.ts'
import { connectWithCredentials } from '../reactors/accounts/connect-account.ts'
import { holdsOf } from '../infra/postgres/holds.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { HIGH_CEILINGS } from './support/api.ts'
import { dyingLog } from './support/dying-log.ts'
import { failure, readUntilCaughtUp } from './support/event-log-helpers.ts'
import { eventStoreDbStandIn } from './support/eventstoredb-stand-in.ts'
import { deliveries, settle } from './support/fan-out.ts'
import { appendHistories, historyOf, historyOfNoWorkspace } from './support/histories.ts'
import { memoryLog, memoryLogData } from './support/memory-log.ts'
import { testDatabase, withReadModels } from './support/postgres.ts'
import { rowsAsideFromPositions } from './support/read-models.ts'
import { givenReceiver, givenWebhook, status } from './support/receivers.ts'
import { givenAccount, ids } from './support/sandbox.ts'
import { accessOf, causedBy, ENCRYPTION_KEY, givenProcess, givenWorld, vaultOf, type World } from './support/world.ts'

const logger = createLogger('silent')
const actor = { kind: 'cli', id: 'me' } as const
const clock = systemClock
const [MINE, OTHER] = ['ws_mine', 'ws_other']
const [mine, other] = [historyOf(MINE), historyOf(OTHER)]
/** Enough to die in. */
const few = mine.filter(({ stream }) =>
  /^(workspace|credits|account|api_key|feed|feed_item|webhook|delivery)-/.test(stream),
)

/** A database of a service, with its read models. */
async function givenService(t: Test) {
  const { db, signals } = await testDatabase(t, withReadModels)
  return { db, signals, log: postgresLog({ db, signals, clock }), clock }
}
type Service = Awaited<ReturnType<typeof givenService>>

async function givenEventStore(t: Test): Promise<EventLog> {
  const server = await eventStoreDbStandIn()
  const log = eventStoreDbLog({ connectionString: server.connectionString, clock })
  t.teardown(async () => {
    await log.close()
    await server.close()
  })
  return log
}

function projectorOf(service: Pick<Service, 'db' | 'log' | 'signals'>) {
  return createProjector({ ...service, projections, clock, logger })
}

/** An import into a service, of whichever log. */
function depsOf(
  service: Pick<Service, 'db' | 'log' | 'signals'>,
  logKind: ImportDeps['logKind'] = 'postgres',
): ImportDeps {
  return { ...service, clock, projector: projectorOf(service), logKind, actor }
}

/** A log alone: nobody looks at its read models. */
function unseen(db: Database, log: EventLog): ImportDeps {
  return { db, log, clock, projector: { catchUp: async () => undefined }, logKind: 'postgres', actor }
}

async function linesOf(
  { db, log }: { readonly db: Database; readonly log: EventLog },
  workspaceId?: string,
): Promise<readonly string[]> {
  const deps: ExportDeps = { db, log, clock, version: '0.1.0', logKind: 'postgres' }
  const of = workspaceId === undefined ? undefined : { id: workspaceId, name: 'mine' }
  let text = ''
  for await (const part of exported(deps, of, () => undefined)) text += part
  return text.split('\n').slice(0, -1)
}

/** Whoever comes waits for the other. */
function meeting(): () => Promise<void> {
  let [come, open] = [0, () => undefined as void]
  const both = new Promise<void>((resolve) => (open = resolve))
  return () => {
    come += 1
    if (come === 2) open()
    return both
  }
}

/** A whole file that somebody has made himself. */
function sealed(steps: typeof mine): readonly string[] {
  const writer = lineWriter()
  const header = { format: FORMAT, version: '0.1.0', installation: crypto.randomUUID(), log: 'postgres' } as const
  const lines = [
    writer.header({ ...header, workspace: { id: MINE, name: 'mine' }, at: '2026-01-01T00:00:00.000Z' }),
    ...steps.map(({ stream, revision, event }, n) => writer.event({ ...event, stream, revision, position: BigInt(n) })),
    writer.end({ events: steps.length, streams: new Set(steps.map(({ stream }) => stream)).size, position: '9999' }),
  ]
  return lines.map((line) => line.trimEnd())
}

/** In pieces of any size, as a pipe would give it. */
function source(lines: readonly string[], cut = 0): () => AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  const whole = bytes.subarray(0, bytes.length - cut)
  return () =>
    Readable.from(
      whole.length === 0
        ? []
        : (whole.toString('latin1').match(/[^]{1,60000}/g) ?? []).map((piece) => Buffer.from(piece, 'latin1')),
    )
}

const allOf = (log: EventLog) => readUntilCaughtUp(log, START, { categories: CATEGORIES })
const contentsOf = (events: readonly RecordedEvent[]) =>
  Object.fromEntries(events.map(({ position: _, ...event }) => [`${event.stream} ${event.revision}`, event]))

t.test('given a log in Postgres in which everything has happened, with its read models', async (t) => {
  const service = await givenService(t)
  await appendHistories(service.log, [mine, other, historyOfNoWorkspace()])
  await projectorOf(service).catchUp()
  t.same((await progressOf(service.db)).halted, {})
  const before = await rowsAsideFromPositions(service.db)
  const empty = Object.entries(before).flatMap(([name, rows]) => (rows.length === 0 ? [name] : []))
  t.same(empty, [], 'each has rows')
  const events = await allOf(service.log)
  const types = Object.values(streamKinds).flatMap(({ events }) => Object.keys(events))
  t.same(new Set(events.map(({ type }) => type)), new Set(types), 'all kinds of events have happened')
  // One follower is in the middle of the log, another at its end, a third has not begun.
  const middle = events[Math.floor(events.length / 2)]
  const places = { middle: middle?.position ?? 0n, end: events.at(-1)?.position ?? 0n, new: START }
  for (const [name, position] of Object.entries(places)) {
    await service.db.query('insert into service.followers values ($1, $2)', [name, String(position)])
  }
  const lines = await linesOf(service)
  const store = await givenEventStore(t)
  const moved = { ...service, log: store }
  const target = await givenService(t)

  await t.test('when it is moved to EventStoreDB, then the read models made of it are the same', async (t) => {
    const found = await importFile(depsOf(moved, 'eventstoredb'), source(lines))
    t.match(found, { of: 'all', events: events.length, written: events.length, toConnect: [] })
    t.same(contentsOf(await allOf(store)), contentsOf(events))
    t.same(await rowsAsideFromPositions(service.db), before)
    t.same((await progressOf(service.db)).halted, {})
    t.same(await holdsOf(service.db), [])
  })

  await t.test('then each follower continues where it was', async (t) => {
    for (const [name, was] of Object.entries(places)) {
      const { rows } = await service.db.query<{ position: string }>(
        'select position from service.followers where name = $1',
        [name],
      )
      const left = await readUntilCaughtUp(store, BigInt(rows[0]?.position ?? 0), { categories: CATEGORIES })
      const still = events.filter(({ position }) => position > was)
      t.same(new Set(left.map(({ id }) => id)), new Set(still.map(({ id }) => id)), name)
    }
  })

  await t.test('then the log has another tree, as its leaves are others', async (t) => {
    const { rows } = await service.db.query('select max(id) as tree from service.trees')
    t.same(rows, [{ tree: '2' }])
  })

  await t.test('when it is moved once more, then nothing changes', async (t) => {
    const followers = async () => (await service.db.query('select * from service.followers order by name')).rows
    const [there, stand] = [await allOf(store), await followers()]
    t.match(await importFile(depsOf(moved, 'eventstoredb'), source(lines)), { written: 0 })
    t.same(await allOf(store), there)
    t.same(await followers(), stand)
  })

  await t.test('when the old log has gone on since, or this is another installation, then it is refused', async (t) => {
    const [first] = historyOf('ws_new')
    if (first) await service.log.append(first.stream, [first.event], -1)
    await t.rejects(
      importFile(depsOf(moved, 'eventstoredb'), source(lines)),
      /has grown to position .* export it again/,
    )
    await t.rejects(importFile(depsOf(target), source(lines)), /whole log of another installation/)
    await t.rejects(importFile(depsOf(service), source(await linesOf(service, MINE))), /from this installation/)
  })

  await t.test('when one workspace is exported, then only its own events are, in their order', async (t) => {
    const own = await linesOf(service, MINE)
    t.equal(own.length, mine.length + 2)
    t.notOk(own.some((line) => line.includes(OTHER)))
    const inOrder = events.filter(({ stream }) => mine.some((step) => step.stream === stream))
    t.same(
      own.slice(1, -1).map((line) => (JSON.parse(line) as { id: string }).id),
      inOrder.map(({ id }) => id),
    )
  })

  await t.test(
    'when a workspace is imported, then its secrets and webhooks stay closed, and everything else is unchanged',
    async (t) => {
      const before = historyOf('ws_before')
      await appendHistories(target.log, [before])
      const was = contentsOf(await allOf(target.log))
      const own = await linesOf(service, MINE)
      const found = await importFile(depsOf(target), source(own))
      // Of each kind the one that has only begun: an account that is connected, a key, an invitation, a member, a webhook, a channel.
      t.equal(found.written - found.events, 6)
      t.equal(found.toConnect.length, 1)
      const there = await allOf(target.log)
      const arrived = there.filter(({ metadata }) => metadata.actor.id === actor.id)
      t.same(arrived.map(({ type }) => type).toSorted(), [
        'AccountNeedsReauth',
        'ApiKeyRevoked',
        'ChannelRemoved',
        'InvitationRevoked',
        'MemberRemoved',
        'WebhookDeleted',
      ])
      t.match(contentsOf(there), was)
      t.same((await progressOf(target.db)).halted, {})
      t.match(await importFile(depsOf(target), source(own)), { written: 0 })
      t.same(await allOf(target.log), there, 'a second time nothing changes')
    },
  )
})

t.test('given an export of a workspace', async (t) => {
  const from = memoryLog()
  const { db } = await givenService(t)
  await appendHistories(from, [mine, other])
  const lines = await linesOf({ db, log: from }, MINE)
  const others = await linesOf({ db, log: from }, OTHER)
  const small = memoryLog()
  await appendHistories(small, [few])
  const fewLines = await linesOf({ db, log: small }, MINE)
  // As if it were another database from here on.
  await db.query('update service.installation set id = gen_random_uuid()')
  const whole = memoryLog()
  const done = await importFile(unseen(db, memoryLog()), source(lines))
  await importFile(unseen(db, whole), source(fewLines))

  await t.test(
    'when the import dies at each of its appends, then it continues from there, to the same result',
    async (t) => {
      const data = memoryLogData()
      let [deaths, last]: [number, Imported | undefined] = [0, undefined]
      while (!last) {
        const moment = deaths % 2 === 0 ? 'before' : 'after'
        const died = await importFile(unseen(db, dyingLog(memoryLog(data), 1, moment)), source(fewLines)).then(
          (found) => void (last = found),
          (error: unknown) => error,
        )
        if (!died) continue
        t.match(died, /the process is dead/)
        t.equal((await holdsOf(db)).length, 1, 'no work is done meanwhile')
        deaths += 1
      }
      t.ok(deaths > 20)
      t.same(await holdsOf(db), [])
      const [one, other] = [await allOf(memoryLog(data)), await allOf(whole)]
      const timeless = (events: readonly RecordedEvent[]) =>
        contentsOf(
          events.map((event) => ({
            ...event,
            metadata: { ...event.metadata, at: event.metadata.actor.id === actor.id ? '' : event.metadata.at },
          })),
        )
      t.same(timeless(one), timeless(other))
      t.equal(one.length, few.length + 3)
    },
  )

  await t.test('when it was not finished, then another file is not begun', async (t) => {
    const data = memoryLogData()
    await failure(importFile(unseen(db, dyingLog(memoryLog(data), 3, 'before')), source(lines)))
    await t.rejects(
      importFile(unseen(db, memoryLog(data)), source(others)),
      /Another import was started at .* run it again first/,
    )
    await importFile(unseen(db, memoryLog(data)), source(lines))
    await importFile(unseen(db, memoryLog(data)), source(others))
    t.same(await holdsOf(db), [])
  })

  await t.test('when it was not finished and is given up, then it does nothing, and all others go on', async (t) => {
    const abandoning = (log: EventLog, named = MINE) =>
      abandonImport({ ...unseen(db, log), vault: vaultOf({ db }) }, named, causedBy(`abandon ${ids.token()}`))
    const ended = new Set<string>()
    for (const appends of [4, 8, 12, 16, 20]) {
      const data = memoryLogData()
      await importFile(unseen(db, memoryLog(data)), source(others))
      const before = await allOf(memoryLog(data))
      await failure(importFile(unseen(db, dyingLog(memoryLog(data), appends, 'before')), source(fewLines)))
      const half = (await allOf(memoryLog(data))).length
      await t.rejects(abandoning(memoryLog(data), OTHER), /is of the workspace .*ws_mine, not of ws_other/)
      t.equal((await holdsOf(db)).length, 1, 'no work is done meanwhile')

      let done: Abandoned | undefined
      for (let deaths = 0; !done; deaths += 1) {
        const log = dyingLog(memoryLog(data), 1, deaths % 2 === 0 ? 'before' : 'after')
        const died = await abandoning(log).then(
          (found) => void (done = found),
          (error: unknown) => error,
        )
        if (died) t.match(died, /the process is dead/)
      }
      t.same(await holdsOf(db), [])
      const after = await allOf(memoryLog(data))
      t.same(after.slice(0, before.length), before)
      for (const { type } of after.slice(half)) ended.add(type)
      for (const stream of new Set(after.slice(before.length).map(({ stream }) => stream))) {
        const { category, id } = parseStreamName(stream)
        const kind = [account, apiKey, webhook, feed].find((kind) => kind.category === category)
        const state = kind && (await load(memoryLog(data), kind as StreamKind<{ status: string }, DomainEvent>, id))
        t.notOk(state && ['connected', 'active', 'paused'].includes(state.status), `${stream} has ended`)
      }
      await t.rejects(abandoning(memoryLog(data)), /no unfinished import/)
    }
    t.ok(ended.has('AccountDisconnected') && ended.has('FeedDeleted'), [...ended].join(', '))
  })

  await t.test('when two are begun at one moment, then not both go on', async (t) => {
    const data = memoryLogData()
    const bring = (file: readonly string[], db: Database) => importFile(unseen(db, memoryLog(data)), source(file))
    // Both have looked before one places its hold, and both have placed it before one looks again.
    const [looked, placed] = [meeting(), meeting()]
    let looks = 0
    const query = async (text: string, values?: unknown[]) => {
      const isLook = /^select .* service.holds/.test(text)
      if (isLook && (looks += 1) > 2) await placed()
      const found = await db.query(text, values)
      if (isLook) await looked()
      return found
    }
    const together = { connect: db.connect.bind(db), query: query as Database['query'] }
    const both = await Promise.allSettled([lines, others].map((file) => bring(file, together)))
    const refused = both.filter(({ status }) => status === 'rejected')
    t.ok(refused.length > 0)
    for (const one of refused) t.match(one, { reason: { message: /Another import was started at/ } })
    t.same(await holdsOf(db), [])
    for (const file of [lines, others]) await bring(file, db)
  })

  await t.test('when the file is not what was exported, then the line is named, and nothing written', async (t) => {
    const edited = (n: number, change: (event: Record<string, unknown>) => object) =>
      lines.map((line, index) =>
        index === n ? JSON.stringify(change(JSON.parse(line) as Record<string, unknown>)) : line,
      )
    const without = (n: number) => lines.filter((_, index) => index !== n)
    const [header = '', end = ''] = [lines[0], lines.at(-1)]
    const queued = lines.findIndex((line) => line.includes('"PostQueued"'))
    const large = (event: Record<string, unknown>) => ({
      ...event,
      data: {
        ...(event['data'] as object),
        captionOverrides: Object.fromEntries(Array.from('abcde', (name) => [name, 'x'.repeat(60_000)])),
      },
    })
    const corpus: readonly (readonly [string, () => AsyncIterable<Uint8Array>, RegExp])[] = [
      ['empty', source([]), /file is empty/],
      ['not JSON', source(['hello', ...lines]), /^line 1: is not a JSON object/],
      ['JSON of something else', source(['{"a":1}']), /^line 1: is not the header/],
      ['a list', source(['[]']), /^line 1: is not the header/],
      ['not UTF-8', () => Readable.from([Buffer.from([0xff, 0xfe, 10])]), /^line 1: is not a JSON object/],
      [
        'another format',
        source(edited(0, () => ({ export: { format: 3, version: '3.0.0' } }))),
        /^line 1: the file has format 3, made by version 3.0.0; this version reads up to format 2/,
      ],
      [
        'a header without a field',
        source([JSON.stringify({ export: { format: 1, version: '1' } })]),
        /^line 1: export.installation/,
      ],
      ['cut off in a line', source(lines, 20), /is not a JSON object/],
      ['cut off between lines', source(lines.slice(0, -1)), /without its last line: it was truncated/],
      ['the header alone', source([header]), /without its last line/],
      ['two in one', source([...lines, ...lines]), /comes after the last line/],
      [
        'a changed text',
        source(edited(1, (event) => ({ ...event, data: { name: 'Mallory' } }))),
        /was changed after it was exported/,
      ],
      ['a line gone', source(without(lines.length - 2)), /its last line says/],
      [
        'a line gone in the middle',
        source(lines.filter((line) => !line.includes(`"stream":"post-post_0_of_${MINE}","revision":1,`))),
        /revision: .* continues with revision 1, not 2/,
      ],
      ['a line twice', source([...lines.slice(0, 2), ...lines.slice(1)]), /^line 3: revision: .* a line is duplicated/],
      [
        'two lines exchanged',
        source([...lines.slice(0, 1), lines[2] ?? '', lines[1] ?? '', ...lines.slice(3)]),
        /^line 3: position \d+ is not after/,
      ],
      [
        'a type that is none',
        source(edited(queued, (event) => ({ ...event, type: 'PostExploded' }))),
        /^line \d+: PostExploded is not an event of a post/,
      ],
      [
        'a kind that is none',
        source(edited(1, (event) => ({ ...event, stream: 'poll-1' }))),
        /^line 2: \S+ is not an event of a poll/,
      ],
      [
        'data of another shape',
        source(edited(queued, (event) => ({ ...event, data: {} }))),
        /^line \d+: PostQueued cannot be read: it does not match its schema: workspaceId/,
      ],
      [
        'another’s stream',
        source([...lines.slice(0, 1), ...others.slice(1)]),
        /^line 2: workspace-ws_other does not belong to the exported workspace/,
      ],
      [
        'a stream without a kind',
        source(edited(1, (event) => ({ ...event, stream: 'nothing' }))),
        /^line 2: stream: is not the name of a stream/,
      ],
      [
        'a stream that begins in its workspace and continues in another',
        source(edited(queued, (event) => ({ ...event, data: { ...(event['data'] as object), workspaceId: OTHER } }))),
        /^line \d+: data.workspaceId: PostQueued names a workspace other than the exported one/,
      ],
      [
        'a workspace whose beginning it does not have',
        source(sealed(mine.filter(({ stream }) => !stream.startsWith('workspace-')))),
        /^The file names workspace ws_mine, but does not contain its creation/,
      ],
      [
        'a type by the name of what every object has',
        source(edited(1, (event) => ({ ...event, type: 'constructor' }))),
        /^line 2: constructor is not an event of a workspace/,
      ],
      [
        'a kind by the name of what every object has',
        source(edited(1, (event) => ({ ...event, stream: 'constructor-1', type: 'name' }))),
        /^line 2: name is not an event of a constructor/,
      ],
      [
        'a type that a terminal would obey',
        source(edited(1, (event) => ({ ...event, type: '\u001b[2J' }))),
        /^line 2: \?\[2J is not an event/,
      ],
      ...['\u0000', '\ud800'].map(
        (character) =>
          [
            'what no read model can hold',
            source(
              edited(1, (event) => ({
                ...event,
                metadata: { ...(event['metadata'] as object), causationId: `\\${character}` },
              })),
            ),
            /^line 2: WorkspaceCreated contains the character U\+0000, or half of a surrogate pair/,
          ] as const,
      ),
      ['an id that is none', source(edited(1, (event) => ({ ...event, id: '1' }))), /^line 2: id: /],
      [
        'a time that is none',
        source(edited(1, (event) => ({ ...event, metadata: { ...(event['metadata'] as object), at: 'now' } }))),
        /^line 2: metadata.at: /,
      ],
      ['an event of 300 KB', source(edited(queued, large)), /^line \d+: PostQueued: .* the limit is 262144/],
      [
        'a line without an end',
        () => Readable.from(Array.from({ length: 9 }, () => Buffer.alloc(65_536, 'x'))),
        /^line 1: is longer than/,
      ],
      [
        'a last line that lies',
        source([...lines.slice(0, -1), end.replace(/"sha256":"\w/, '"sha256":"_')]),
        /was changed/,
      ],
    ]
    for (const [name, open, reason] of corpus) {
      const data = memoryLogData()
      t.match(await failure(importFile(unseen(db, memoryLog(data)), open)), { name: 'Refusal', message: reason }, name)
      t.equal(data.events.length, 0, `${name}: nothing is written`)
    }
    t.same(await holdsOf(db), [])
  })

  await t.test('when something else stands in a stream, then it is named before anything is written', async (t) => {
    const data = memoryLogData()
    const own = mine.filter(({ stream }) => stream === `post-post_0_of_${MINE}`)
    const [first, second] = own
    if (!first || !second) throw new Error('there is no such post')
    await memoryLog(data).append(first.stream, [first.event, { ...second.event, id: crypto.randomUUID() }], -1)
    const error = await failure(importFile(unseen(db, memoryLog(data)), source(lines)))
    t.match(
      error,
      /^Refusal: line \d+: post-post_0_of_ws_mine has another event at revision 1 here: .* Nothing was written/,
    )
    t.equal(data.events.length, 2)
  })

  await t.test('when it is a dry run, then it shows what it would write, and writes nothing', async (t) => {
    const data = memoryLogData()
    t.same(await importFile(unseen(db, memoryLog(data)), source(lines), { dryRun: true }), done)
    t.equal(data.events.length, 0)
  })
})

t.test('given a log, when the appends of each window are made in another order, then no row can tell', async (t) => {
  const log = memoryLog()
  await appendHistories(log, [mine, other])
  const events = await allOf(log)
  const window = gatherWindow()
  const [windows, sizes]: [string[][], number[]] = [[], []]
  const flush = () => {
    const appends = window.empty()
    sizes.push(appends.length)
    windows.push(appends.toReversed().flatMap((one) => one.events.map(({ id }) => id)))
  }
  for (const event of events) {
    if (window.take(event, 1_000, [])) continue
    flush()
    t.ok(window.take(event, 1_000, []))
  }
  flush()
  const byId = new Map(events.map((event) => [event.id, event]))
  const shuffled = windows.flat().flatMap((id) => byId.get(id) ?? [])
  t.ok(Math.max(...sizes) > 8, 'many appends are made at once')
  t.equal(shuffled.length, events.length)
  t.not(shuffled.map(({ id }) => id).join(), events.map(({ id }) => id).join())
  t.same(storiesOf(shuffled), storiesOf(events))
})

/** By stream and by row of a read model, the events that it is made of, in order; and what stood before each webhook's. */
function storiesOf(events: readonly RecordedEvent[]): Readonly<Record<string, readonly string[]>> {
  const stories: Record<string, string[]> = {}
  const before = new Set<string>()
  for (const event of events) {
    const rows = projections.flatMap(({ name, rowIds }) => rowIds(event).map((row) => `${name} ${row}`))
    for (const name of [event.stream, ...rows]) (stories[name] ??= []).push(event.id)
    if (event.stream.startsWith('webhook-')) stories[`before ${event.id}`] = [...before].toSorted()
    before.add(event.id)
  }
  return stories
}

/** A post for later, as the API would schedule it. */
async function schedule(world: World, selections: Record<string, string[]>, inMs: number): Promise<string> {
  const id = resourceId('post', ids.ulid())
  const content = {
    ...{ workspaceId: world.workspaceId, selections, mediaUrl: `${world.sandbox.url}/media/sample.jpg` },
    ...{ mediaType: 'image' as const, caption: 'Later', captionOverrides: {}, hashtags: [] },
  }
  const due = dueAtMoment(new Date(world.clock.now() + inMs).toISOString(), 'Europe/Oslo')
  await handle(world, post, id, causedBy(id), (state) => schedulePost(state, content, due, world.clock.now()))
  return id
}

t.test('given a workspace that has published, has something to publish, and webhooks that wait', async (t) => {
  const world = await givenWorld(t)
  const { workspaceId, sandbox, log } = world
  const live = () => sandbox.ledger.posts('x').length
  await handle(world, workspace, workspaceId, causedBy('made'), (state) => createWorkspace(state, { name: 'mine' }))
  const given = await givenAccount(world.http, sandbox, 'x')
  const accountId = await world.connect('x', given)
  const key = apiKeyFormat.generate(resourceId('key', ids.ulid()))
  const keyId = `key_${key.raw.split('_')[1] ?? ''}`
  await handle(world, apiKey, keyId, causedBy('key'), (state) =>
    createApiKey(state, { workspaceId, label: 'mine', scopes: ['posts:read'], secretHash: key.secretHash }),
  )
  const userId = userIdOf('ada')
  const reset = newResetLink('https://fanfare.test', userId, 'link', world.clock.now())
  const ada = { workspaceId, name: 'ada', passwordId: 'none', role: 'owner' } as const
  await handle(world, user, userId, causedBy('ada'), (state) => createUser(state, ada))
  await handle(world, user, userId, causedBy('link'), (state) => createResetLink(state, reset.data))
  await handle(world, user, userId, causedBy('totp'), (state) => enableTotp(state, 'none'))
  const [gone, freelancer] = [userIdOf('gone'), memberIdOf(userIdOf('freelancer'), workspaceId)]
  await handle(world, user, gone, causedBy('gone'), (state) => createUser(state, { ...ada, name: 'gone' }))
  await handle(world, user, gone, causedBy('elsewhere'), leaveWorkspace)
  const joined = { workspaceId, userId: userIdOf('freelancer'), name: 'freelancer', role: 'owner' } as const
  await handle(world, member, freelancer, causedBy('freelancer'), (state) => joinWorkspace(state, joined))
  const receiver = await givenReceiver(t, world)
  const hook = await givenWebhook(world, `${receiver.url}/hook`)
  const service = await givenProcess(world)
  const published = await service.queue({ selections: { x: [accountId] } })
  await service.drain()
  t.equal(live(), 1)
  t.equal(receiver.received.length, 1)
  receiver.answer = status(500)
  await service.queue({ selections: { x: [accountId] } })
  for (let given = 1; given > 0;) given = await service.step()
  t.equal(receiver.received.length, 2, 'it is due again')
  const later = await schedule(world, { x: [accountId] }, 3_600_000)
  const due = await service.queue({ selections: { x: [accountId] } })

  const credentials = await vaultOf(world).get(accountId)
  let lines: readonly string[] = []
  await t.test('when it is exported to move elsewhere, then nothing more is published from here', async (t) => {
    lines = await released({ ...world, vault: vaultOf(world) }, workspaceId, causedBy('released'), async () => {
      // Something that the webhook is to be told.
      await settle(world, workspaceId)
      const told = (await deliveries(world)).length
      t.equal(await service.step(), 0, 'no work is done meanwhile')
      t.equal((await deliveries(world)).length, told)
      return linesOf(world, workspaceId)
    })
    t.same(await holdsOf(world.db), [])
    t.equal(await vaultOf(world).find(accountId), undefined)
    await service.step()
    t.equal(live(), 2)
    t.match(await findPost(world.db, due), { status: 'publish_failed', results: { x: [{ ok: false }] } })
  })

  await t.test('then no secret is in the export, and all else is', async (t) => {
    const text = lines.join('\n')
    const [, , secret = ''] = key.raw.split('_')
    const secrets = [
      key.raw,
      secret,
      key.secretHash,
      reset.data.secretHash,
      hook.secret,
      hook.secret.slice(6),
      ENCRYPTION_KEY.toString('base64'),
    ]
    const tokens = [credentials, given.credentials].flatMap((fields) =>
      Object.entries(fields).flatMap(([name, value]) => (/token|secret|password/i.test(name) ? [value] : [])),
    )
    t.ok(tokens.length > 0)
    for (const canary of [...secrets, ...tokens]) t.notOk(text.includes(canary))
    for (const id of [accountId, keyId, hook.id, published, later, due]) t.ok(text.includes(id))
  })

  const target = { ...(await givenWorld(t, { clock: world.clock })), workspaceId, sandbox }
  const there = await givenProcess(target)
  const calls = receiver.received.length

  await t.test('when half of it is imported, then no work is done on that half', async (t) => {
    let died: unknown
    do {
      const dying = { ...depsOf(target), log: dyingLog(target.log, 0, 'after') }
      died = await failure(importFile(dying, source(lines)))
      const written = (await allOf(target.log)).length
      if (died) t.match(died, /the process is dead/)
      if (died) t.equal(await there.step(), 0)
      t.equal((await allOf(target.log)).length, written)
    } while (died)
  })

  await t.test('when all of it is imported, then nothing is published or sent a second time', async (t) => {
    const found = await importFile(depsOf(target), source(lines))
    t.match(found, { of: workspaceId, toConnect: [new RegExp(`^x .* \\(${accountId}\\)$`)] })
    for (let given = 1; given > 0;) given = await there.step()
    t.equal(live(), 2)
    t.equal(receiver.received.length, calls)
    t.match(await findPost(target.db, published), { status: 'published' })
    t.match(await findPost(target.db, due), {
      status: 'publish_failed',
      results: { x: [{ ok: false, error: /Connect the account again/ }] },
    })
    t.equal((await load(target.log, webhook, hook.id)).status, 'deleted')
    t.match(await load(target.log, user, userId), {
      status: 'active',
      totpId: undefined,
      resetLink: { secretHash: '', status: 'revoked' },
    })
    t.match(await load(target.log, user, gone), { status: 'removed' }, 'the account goes on elsewhere')
    t.match(await load(target.log, member, freelancer), { status: 'removed' }, 'their account is elsewhere')
  })

  await t.test(
    'when its owner connects the account, then it is the same account, and scheduled posts are published once',
    async (t) => {
      const { id } = await connectWithCredentials(
        {
          ...{ ...target, ids, vault: vaultOf(target), access: accessOf(target) },
          ceilings: createCeilings(target.db, HIGH_CEILINGS),
          seen: { waitFor: async () => true },
        },
        { workspaceId, platform: 'x', credentials: given.credentials, baseUrl: given.baseUrl },
        causedBy('connected again'),
      )
      t.equal(id, accountId)
      t.match(await load(target.log, account, accountId), { status: 'connected', needsReauth: undefined })
      await there.drain()
      t.match(await findPost(target.db, later), { status: 'published' })
      t.equal(live(), 3)
      await service.drain()
      t.equal(live(), 3)
      t.equal(receiver.received.filter(({ body }) => body.includes(published)).length, 1)
      t.match(await findPost(world.db, later), { status: 'publish_failed' }, 'not from both')
      t.ok((await log.read(`account-${accountId}`)).some(({ type }) => type === 'AccountNeedsReauth'))
    },
  )
})
