import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { holdRestored } from '../../app/cli/restore/hold-restored.ts'
import { restoreStatus } from '../../app/cli/restore/restored.ts'
import { logOf, type Process, type World } from './world.ts'

/** Keeps the log as it is now, to bring it back to any earlier event. */
export async function keptLog(t: Test, world: World) {
  const { db } = world
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-restore-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  await db.query('drop table if exists kept; create table kept as table log.events')
  const { rows } = await db.query<{ position: string }>('select position from kept order by position')
  return {
    positions: rows.map(({ position }) => BigInt(position)),
    /** The log ends at this event, and the service that starts is held. */
    restoreTo: async (position: bigint): Promise<World> => {
      await db.query(`alter table log.events disable trigger append_only; truncate log.events;
        insert into log.events select * from kept where position <= ${position};
        alter table log.events enable trigger append_only`)
      const log = logOf(world)
      t.teardown(() => log.close())
      const restored = { ...world, log }
      await holdRestored(restored, dataDir, true)
      return restored
    },
  }
}

/** Looks until nothing is left that another look could find. */
export async function searchAll(world: World, service: Process): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    await service.search()
    const { toLookFor, waiting } = await restoreStatus(service.core)
    if (toLookFor === 0 && waiting.every(({ outcome }) => outcome !== 'unreachable')) return
    await world.clock.advanceTo(world.clock.now() + 30_000)
  }
  throw new Error('the search has no end')
}
