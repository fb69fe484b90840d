import { rm } from 'node:fs/promises'
import type { Database } from '../../../infra/postgres/pool.ts'
import type { EventLog } from '../../../event-log/event-log.ts'
import { projections } from '../../../projections/models/index.ts'
import { resetTables } from '../../../projections/engine/tables.ts'
import { holdForRestore } from '../../../infra/postgres/restores.ts'
import { headFile, headOf, notedHead, noteHead, wentBack } from './log-head.ts'
import type { Clock } from '../../../infra/runtime/clock.ts'

/**
 * Has a service whose log was restored start held (`infra/postgres/holds.ts`). May be cut off anywhere and repeated: the file that
 * gives the restore away is written last.
 *
 * @param isRestored what the operator says; absent that, the file in `dataDir` tells
 * @returns whether the log was restored
 */
export async function holdRestored(
  {
    db,
    log,
    clock,
  }: { readonly db: Database; readonly log: Pick<EventLog, 'head' | 'subscribe'>; readonly clock: Clock },
  dataDir: string,
  isRestored: boolean,
): Promise<boolean> {
  const noted = isRestored ? undefined : await notedHead(dataDir)
  const now = await headOf(log)
  if (!now) {
    // A new installation: nothing is owed.
    await rm(headFile(dataDir), { force: true })
    return false
  }
  if (!isRestored && !wentBack(noted, now)) return false
  await holdForRestore(db, clock.now())
  // Both may have seen events that are gone. What followers do again has no effect the second time.
  await resetTables(db, projections)
  const isOther = noted !== undefined && noted.firstEvent !== now.firstEvent
  await db.query('delete from service.followers where $1 or position > $2', [isOther, String(now.position)])
  await noteHead(dataDir, now)
  return true
}
