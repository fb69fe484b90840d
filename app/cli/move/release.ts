import { account } from '../../../domain/account/account.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { requireReauth } from '../../../commands/account-standing.ts'
import { handle, type Cause } from '../../../commands/handle.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import type { Core } from '../../wiring/core.ts'
import { accountIdsOf } from '../../../projections/models/accounts.ts'
import { atWork, liftHold, placeHold } from '../../../infra/postgres/holds.ts'

const RELEASED =
  'The workspace was exported to continue in another installation. Connect the account again to continue here.'
/** Longer than any reactor's deadline (ms). */
const PATIENCE_MS = 15 * 60_000
const LOOK_EVERY_MS = 250
/** After this (ms) the process that placed the hold must be dead, and the installation resumes. */
const HOLD_MS = 60 * 60_000

/**
 * Stops publishing a workspace from this installation, and runs `work` before any other automatic work: waits until running work
 * has ended, removes the accounts' credentials, and marks the accounts as needing to be reconnected.
 *
 * @throws Refusal failed_precondition if running work does not end
 */
export async function released<T>(
  core: Pick<Core, 'log' | 'clock' | 'vault'> & { readonly db: Database },
  workspaceId: string,
  cause: Cause,
  work: () => Promise<T>,
): Promise<T> {
  const { db, clock, vault } = core
  const hold = `release ${workspaceId}`
  await placeHold(db, hold, HOLD_MS)
  try {
    const deadline = clock.now() + PATIENCE_MS
    for (let count = await atWork(db, clock.now()); count > 0; count = await atWork(db, clock.now())) {
      if (clock.now() > deadline) {
        throw new Refusal(
          'failed_precondition',
          `${count} pieces of work in progress did not finish: stop the service.`,
        )
      }
      await clock.sleep(LOOK_EVERY_MS)
    }
    for (const id of await accountIdsOf(db, workspaceId)) {
      const own = { ...cause, commandId: `${cause.commandId} ${id}` }
      await handle(core, account, id, own, (state) => requireReauth(state, RELEASED))
      // Nothing is published once that event is written: a crash before this line leaves a secret that is never used.
      await vault.remove(id)
    }
    return await work()
  } finally {
    await liftHold(db, hold)
  }
}
