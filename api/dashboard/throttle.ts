import { Refusal } from '../../domain/core/errors.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { createRateLimiter, type Allowance } from '../http/rate-limit.ts'

/** How often a password may be tried, whatever comes of it. */
export interface Throttle {
  ofAddress(address: string): Promise<Allowance>
  ofUser(userId: string): Promise<Allowance>
  /**
   * Has a password looked at, unless so many wait for that already that there would be no answer in time: many addresses
   * together are slowed down by no count.
   *
   * @throws Refusal rate_limit_exceeded
   */
  inLine(look: () => Promise<boolean>): Promise<boolean>
}

const OF_AN_ADDRESS = { perMinute: 10, perDay: 100 }
/**
 * More than one address may try, so that none alone keeps a user out; and by the minute only, as whoever tries from many could
 * do so for the day.
 */
const OF_A_USER = { perMinute: 20, perDay: 20 * 24 * 60 }
/** In each process. They are looked at one by one, each for a third of a second or, on a busy machine, a whole one. */
const MOST_IN_LINE = 25
const LINE_S = 10

/** Counted as requests are, in Postgres by all processes together. A name that nobody has counts like any other. */
export function createThrottle(db: Database, clock: Clock): Throttle {
  const addresses = createRateLimiter(db, clock, OF_AN_ADDRESS)
  const users = createRateLimiter(db, clock, OF_A_USER)
  let inLine = 0
  return {
    ofAddress: (address) => addresses.admit(`sign-in:${address}`),
    ofUser: (userId) => users.admit(`sign-in:${userId}`),
    inLine: async (look) => {
      if (inLine >= MOST_IN_LINE) {
        throw new Refusal('rate_limit_exceeded', `Too many passwords are tried right now; wait ${LINE_S} s.`, {
          retryAfterS: LINE_S,
        })
      }
      inLine += 1
      return look().finally(() => (inLine -= 1))
    },
  }
}
