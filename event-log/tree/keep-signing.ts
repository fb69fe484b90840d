import { LOCKS } from '../../infra/postgres/locks.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { HistoryChanged, type LogTree } from './log-tree.ts'
import { openHead } from './note.ts'
import { ifFirst } from './tree-store.ts'

/** How often (ms) a head is signed while there are new events. */
export const SIGN_EVERY_MS = 3_600_000
/** Delay (ms) after a fault, such as an unreachable database. */
const RETRY_MS = 60_000

export interface KeepSigningDeps {
  readonly db: Database
  readonly clock: Clock
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

/** Signs a head every hour, until the signal aborts. Of several processes, one does. */
export async function keepSigning(deps: KeepSigningDeps, tree: LogTree, signal: AbortSignal): Promise<void> {
  const { db, clock, logger } = deps
  while (!signal.aborted) {
    let pauseMs = SIGN_EVERY_MS
    try {
      const waitMs = await untilDue(tree, clock)
      if (waitMs > 0) {
        await clock.sleep(waitMs, signal)
        continue
      }
      await ifFirst(db, LOCKS.tree, () => tree.sign(signal))
    } catch (error) {
      if (error instanceof HistoryChanged) logger.error({ err: error }, 'the log has changed: no head is signed')
      else if (!signal.aborted) {
        pauseMs = RETRY_MS
        logger.warn({ err: error }, 'a head of the log could not be signed; trying again')
      }
    }
    await clock.sleep(pauseMs, signal)
  }
}

/** How long (ms) until the next head is due: another process may have signed one. */
async function untilDue(tree: LogTree, clock: Clock): Promise<number> {
  const { publicKey, head } = await tree.newest()
  return head ? Date.parse(openHead(head.note, publicKey).at) + SIGN_EVERY_MS - clock.now() : 0
}
