import t from 'tap'
import { toApiError } from '../api/http/error-answer.ts'
import { handle, load } from '../commands/handle.ts'
import { createWorkspace } from '../commands/create-workspace.ts'
import { eventOf, type EventFormat } from '../domain/core/event.ts'
import { streamKinds } from '../domain/log/event-kinds.ts'
import { workspace } from '../domain/workspace/workspace.ts'
import { createCodec } from '../event-log/codec.ts'
import { systemClock as clock } from '../infra/runtime/clock.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { progressOf } from '../projections/engine/tables.ts'
import { projections } from '../projections/models/index.ts'
import { createFollower } from '../reactors/runtime/follower.ts'
import { failure } from './support/event-log-helpers.ts'
import { memoryLog, memoryLogData } from './support/memory-log.ts'
import { testDatabase, withReadModels } from './support/postgres.ts'
import { causedBy } from './support/world.ts'

const logger = createLogger('silent')
const FORMATS: Readonly<Record<string, EventFormat>> = {
  ...streamKinds,
  workspace: { ...workspace, upcasters: { WorkspaceCreated: [(data) => data] } },
}

t.test('given a process of this version beside one of the next, which changed WorkspaceCreated', async (t) => {
  const { db, signals } = await testDatabase(t, withReadModels)
  const data = memoryLogData()
  const processOf = (formats: typeof FORMATS) => {
    const deps = { db, signals, clock, logger, log: memoryLog(data, createCodec({ formats })) }
    const seen: string[] = []
    const interest = {
      name: 'names',
      categories: ['workspace'],
      select: (recorded: Parameters<typeof eventOf>[1]) => eventOf(workspace, recorded),
    }
    return {
      create: (name: string) =>
        handle(deps, workspace, `ws_${name}`, causedBy(name), (state) => createWorkspace(state, { name })),
      nameOf: async (name: string) => {
        const state = await load(deps.log, workspace, `ws_${name}`)
        return state.status === 'active' && state.name
      },
      projector: createProjector({ ...deps, projections }),
      seen,
      follower: createFollower(
        interest,
        () => async (found) => void seen.push(...found.flatMap(({ data }) => ('name' in data ? [data.name] : []))),
        deps,
      ),
    }
  }
  const [older, newer] = [processOf(streamKinds), processOf(FORMATS)]
  const names = async () => {
    const { rows } = await db.query<{ name: string }>('select name from read.workspaces order by name')
    return rows.map(({ name }) => name)
  }

  await t.test('when the older one writes, then the newer one reads it', async (t) => {
    await older.create('first')
    t.equal(await newer.nameOf('first'), 'first')
    await newer.projector.catchUp()
    t.same(await names(), ['first'])
  })

  await t.test('when the newer one writes, then the older one stops what needs it, and nothing else', async (t) => {
    await newer.create('second')
    await t.rejects(older.nameOf('second'), {
      name: 'UnreadableEvent',
      message: /^WorkspaceCreated of workspace-ws_second cannot be read: its schema has version 2, .* Upgrade it$/,
    })
    const answer = toApiError(await failure(older.nameOf('second')))
    t.match(answer, { status: 500, code: 'internal_error', message: /Upgrade it$/ })
    t.equal(await older.nameOf('first'), 'first')
    await older.projector.catchUp()
    const { halted, position } = await progressOf(db)
    t.same(Object.keys(halted), ['workspaces'])
    t.match(halted['workspaces'], /its schema has version 2/)
    t.equal(position, 1n, 'the other read models went on')
    await t.rejects(older.follower.catchUp(), { name: 'UnreadableEvent' })
    t.same(older.seen, [])
  })

  await t.test('when the newer process runs, then everything that stopped continues', async (t) => {
    await newer.projector.catchUp()
    t.same(await names(), ['first', 'second'])
    t.same((await progressOf(db)).halted, {})
    await newer.follower.catchUp()
    t.same(newer.seen, ['first', 'second'])
    await older.create('third')
    await older.follower.catchUp()
    t.same(older.seen, ['third'])
  })
})
