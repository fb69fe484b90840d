import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { auditLog } from '../app/cli/audit-log.ts'
import { importFile } from '../app/cli/move/import.ts'
import { streamKinds } from '../domain/log/event-kinds.ts'
import { parseStreamName } from '../domain/core/event.ts'
import { START } from '../event-log/event-log.ts'
import { versionOf } from '../event-log/codec.ts'
import { systemClock as clock } from '../infra/runtime/clock.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { progressOf } from '../projections/engine/tables.ts'
import { projections } from '../projections/models/index.ts'
import { rebuild } from '../projections/rebuild/rebuild.ts'
import { readUntilCaughtUp } from './support/event-log-helpers.ts'
import { testDatabase, withReadModels } from './support/postgres.ts'
import { logOf } from './support/world.ts'

const FOLDER = new URL('golden/', import.meta.url)
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))

/** It needs an id that is derived from others. */
const EMPTY = 'post_metrics'
/** Read models that not every version filled, with the streams that do. */
const FILLED_BY: Readonly<Record<string, string>> = {
  media: 'media',
  erasures: 'erasure',
  drafts: 'draft',
  invitations: 'invitation',
  channels: 'channel',
  notifications: 'notification',
}

/** An event as its version wrote it. */
interface Line {
  readonly stream: string
  readonly type: string
  readonly metadata: { readonly schemaVersion?: number }
}

function linesOf(file: string): readonly Line[] {
  const [, ...lines] = readFileSync(new URL(file, FOLDER), 'utf8').trimEnd().split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Line)
}

for (const file of FILES) {
  t.test(`given the log of ${file}, written by an earlier version`, async (t) => {
    const { db, signals } = await testDatabase(t, withReadModels)
    const log = logOf({ db, signals, clock })
    const projector = createProjector({ db, log, signals, projections, clock, logger: createLogger('silent') })
    const open = () => createReadStream(new URL(file, FOLDER))
    const [header = ''] = readFileSync(new URL(file, FOLDER), 'utf8').split('\n', 1)
    const { export: of } = JSON.parse(header) as { export: { installation: string } }
    await db.query('update service.installation set id = $1', [of.installation])
    const deps = { db, log, signals, clock, projector, logKind: 'postgres', actor: { kind: 'cli', id: 'me' } } as const
    const count = linesOf(file).length

    await t.test('when it is imported, then every event is there, once', async (t) => {
      t.match(await importFile(deps, open), { events: count, written: count })
      t.match(await importFile(deps, open), { events: count, written: 0 })
    })

    await t.test('when it is verified, then it is intact', async (t) => {
      const audit = await auditLog({ log })
      t.equal(audit.events, count)
      // What must precede an outcome is another matter: the events of this log follow each other by name, not by sense.
      t.same(
        audit.faults.filter((fault) => fault.includes('cannot be read') || fault.includes('is not an event')),
        [],
      )
    })

    await t.test('when the read models are built and rebuilt, then they are equal', async (t) => {
      await projector.catchUp()
      t.same((await progressOf(db)).halted, {})
      const signal = new AbortController().signal
      const found = await rebuild({ db, log, projector, clock, signal, progress: () => undefined }, projections, {})
      t.same(
        found.filter(({ compared }) => compared !== 'equal'),
        [],
      )
      const empty: string[] = []
      for (const { name } of projections) {
        if ((await db.query(`select 1 from read.${name} limit 1`)).rows.length === 0) empty.push(name)
      }
      const categories = new Set(linesOf(file).map(({ stream }) => parseStreamName(stream).category))
      const lacking = Object.entries(FILLED_BY).flatMap(([name, by]) => (categories.has(by) ? [] : [name]))
      t.same(empty.sort(), [EMPTY, ...lacking].sort())
    })

    await t.test('then every event is in today’s form', async (t) => {
      for (const { stream, type, metadata, unreadable } of await readUntilCaughtUp(log, START)) {
        const format = streamKinds[parseStreamName(stream).category]
        if (!format) throw new Error(`${stream} is of no kind`)
        if (unreadable) t.fail(`${type}: ${unreadable.reason}`)
        if ((metadata.schemaVersion ?? 1) !== versionOf(format, type)) t.fail(`${type} was not lifted`)
      }
    })
  })
}

t.test('every earlier version of every event is in a golden log', async (t) => {
  const written = new Set(
    FILES.flatMap(linesOf).map(({ stream, type, metadata }) =>
      [parseStreamName(stream).category, type, metadata.schemaVersion ?? 1].join('/'),
    ),
  )
  for (const { category, upcasters = {}, renamed = {} } of Object.values(streamKinds)) {
    for (const [type, steps] of Object.entries(upcasters)) {
      const names = [type, ...Object.keys(renamed).filter((name) => renamed[name] === type)]
      steps.forEach((_, index) => {
        const isThere = names.some((name) => written.has(`${category}/${name}/${index + 1}`))
        t.ok(isThere, `version ${index + 1} of ${category}/${type}: see "Change an event" in CONTRIBUTING.md`)
      })
    }
  }
})
