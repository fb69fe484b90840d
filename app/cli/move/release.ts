import { account } from '../../../domain/account/account.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { requireReauth } from '../../../commands/account-standing.ts'
import { handle, type Cause } from '../../../commands/handle.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import type { Core } from '../../main.ts'
import { accountIdsOf } from '../../../projections/models/accounts.ts'
import { atWork, liftHold, placeHold } from '../../../infra/postgres/holds.ts'

const RELEASED =
  'The workspace was exported to go on in another installation. Connect the account again if it is to go on here.'
/** Longer than the longest work of a reactor that has a deadline (ms). */
const PATIENCE_MS = 15 * 60_000
const LOOK_EVERY_MS = 250
/** By then whoever placed it is dead, and the installation goes on (ms). */
const HOLD_MS = 60 * 60_000

/**
 * Has a workspace published from here no more, and does `work` before anything else happens by itself: waits until what is
 * under way has ended, takes its accounts' credentials away, and marks them as to be connected again.
 *
 * @throws Refusal failed_precondition when what is under way does not end
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
          `${count} pieces of work are under way and do not end: stop the service.`,
        )
      }
      await clock.sleep(LOOK_EVERY_MS)
    }
    for (const id of await accountIdsOf(db, workspaceId)) {
      const own = { ...cause, commandId: `${cause.commandId} ${id}` }
      await handle(core, account, id, own, (state) => requireReauth(state, RELEASED))
      // Nothing goes out any more once that is written: dying before this line leaves a secret that nobody uses.
      await vault.remove(id)
    }
    return await work()
  } finally {
    await liftHold(db, hold)
  }
}
