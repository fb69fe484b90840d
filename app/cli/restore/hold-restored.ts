import { rm } from 'node:fs/promises'
import type { Database } from '../../../infra/postgres/pool.ts'
import type { EventLog } from '../../../event-log/event-log.ts'
import { projections } from '../../../projections/models/index.ts'
import { resetTables } from '../../../projections/engine/tables.ts'
import { holdForRestore } from '../../../infra/postgres/restores.ts'
import { headFile, headOf, notedHead, noteHead, wentBack } from './log-head.ts'
import type { Clock } from '../../../infra/runtime/clock.ts'

/**
 * Makes a service whose log was restored start on hold (`infra/postgres/holds.ts`). It may be interrupted anywhere and repeated:
 * the file that reveals the restore is written last.
 *
 * @param isRestored what the operator says; if false, the file in `dataDir` decides
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
    // A new installation: nothing is pending.
    await rm(headFile(dataDir), { force: true })
    return false
  }
  if (!isRestored && !wentBack(noted, now)) return false
  await holdForRestore(db, clock.now())
  // Read models and followers may have seen events that are gone. Followers are idempotent, so they may run again.
  await resetTables(db, projections)
  const isOther = noted !== undefined && noted.firstEvent !== now.firstEvent
  await db.query('delete from service.followers where $1 or position > $2', [isOther, String(now.position)])
  await noteHead(dataDir, now)
  return true
}
