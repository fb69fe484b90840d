import { projections } from '../../projections/models/index.ts'
import { resetTables } from '../../projections/engine/tables.ts'
import { timed } from './copy-floor.ts'
import { writeHistory } from './history.ts'
import { benchReadModels } from './read-models.ts'
import type { Comparison, RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'

const POSTS = 40_000

/** The projector fills every read model from empty to the end of the log. */
export function benchProjection(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  return benchReadModels(server, 'projection', options, async ({ db, log, projector }) => {
    const events = await writeHistory(log, POSTS)
    options.progress(`  the log holds ${events} events of ${POSTS} posts`)
    await projector.catchUp()
    const makeAnew = async () => {
      await resetTables(db, projections)
      return timed(() => projector.catchUp())
    }
    return { what: 'projection catch-up', events, makeAnew }
  })
}
