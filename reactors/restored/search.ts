import { LOCKS } from '../../infra/postgres/locks.ts'
import { noteLook, restoreHold, toLookFor, type DueRow } from '../../infra/postgres/restores.ts'
import { transaction, type Database } from '../../infra/postgres/pool.ts'
import { grouped } from '../../domain/core/grouped.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import type { LookDeps } from './look-for-post.ts'
import { lookFor } from './look.ts'
import { eachOf } from '../../infra/runtime/each-of.ts'

export interface SearchDeps extends LookDeps {
  readonly db: Database
  readonly seen: Pick<Seen, 'waitFor'>
  /** Accounts searched at once. Default: 4. */
  readonly atOnce?: number
}

const AT_ONCE = 4
/** Pause (ms) between two passes over the remaining work. */
const PAUSE_MS = 1_000
/** Interval (ms) at which a service that is not held checks whether another process has put it on hold. */
const IDLE_MS = 10_000
/** Delay (ms) before work is looked for again after a fault (the log or the database unavailable, a bug). */
const FAULT_DELAY_MS = 30_000

/**
 * While the service is on hold because its log was restored, looks for all that may be live already
 * (`infra/postgres/restores.ts`), until the signal aborts.
 */
export async function searchWhileHeld(deps: SearchDeps, signal: AbortSignal): Promise<void> {
  const { clock, logger } = deps
  while (!signal.aborted) {
    let isHeld = true
    try {
      isHeld = await searchOnce(deps, signal)
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'looking for restored work failed; trying again')
    }
    await clock.sleep(isHeld ? PAUSE_MS : IDLE_MS, signal)
  }
}

/**
 * Looks for everything that is due for a look. Does nothing while another process searches.
 *
 * @returns whether the service is on hold
 */
export async function searchOnce(deps: SearchDeps, signal: AbortSignal): Promise<boolean> {
  const { db, clock, log, seen, atOnce = AT_ONCE } = deps
  const hold = await restoreHold(db)
  if (!hold) return false
  const since = Date.parse(hold.since)
  await transaction(db, async (lock) => {
    const { rows } = await lock.query<{ had: boolean }>('select pg_try_advisory_xact_lock($1) as had', [LOCKS.search])
    // The read models must show a post that was just found before a look-alike is searched for.
    if (!rows[0]?.had || !(await seen.waitFor(await log.head()))) return
    const due = await toLookFor(db, hold.since, clock.now())
    const lookAtAll = async (rows: readonly DueRow[]) => {
      for (const row of rows) {
        signal.throwIfAborted()
        await lookAt(deps, row, since, signal)
      }
    }
    const isOfOneAccount = ({ kind }: DueRow) => kind === 'publish' || kind === 'send'
    const byAccount = grouped(due.filter(isOfOneAccount), ({ lane }) => [lane])
    await eachOf([...byAccount.values()], atOnce, lookAtAll)
    await lookAtAll(due.filter((row) => !isOfOneAccount(row)))
  })
  return true
}

async function lookAt(deps: SearchDeps, row: DueRow, since: number, signal: AbortSignal): Promise<void> {
  const { clock, db, log, logger, seen } = deps
  try {
    await lookFor(deps, row, since, signal)
    await seen.waitFor(await log.head())
  } catch (error) {
    if (signal.aborted) throw error
    logger.warn({ err: error, row: row.id }, 'looking for restored work failed; trying again')
    const { id, kind, subject, due_at: dueAt } = row
    const reason = 'An internal error occurred during the look-up; see the service log.'
    const look = { outcome: 'unreachable', reason, lookAt: clock.now() + FAULT_DELAY_MS } as const
    await noteLook(db, { id, kind, subject, workspaceId: '', dueAt: row.noted?.dueAt ?? dueAt }, look)
  }
}
