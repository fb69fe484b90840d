import { systemClock } from '../../infra/runtime/clock.ts'
import type { VirtualClock } from './virtual-clock.ts'

/**
 * A clock for servers under test: who sleeps really sleeps, so that nothing hangs, but the time can be set forward. With
 * `standingAt` it stands still until then, for counts that must not meet the end of a minute.
 */
export function movableClock({ standingAt }: { readonly standingAt?: number } = {}): VirtualClock {
  let standing = standingAt
  let ahead = 0
  return {
    now: () => standing ?? systemClock.now() + ahead,
    sleep: systemClock.sleep,
    advanceTo: async (ms) => {
      if (standing === undefined) ahead += Math.max(0, ms - (systemClock.now() + ahead))
      else standing = Math.max(standing, ms)
    },
  }
}
