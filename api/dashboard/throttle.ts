import type { Database } from '../../database/pool.ts'
import type { Clock } from '../../system/clock.ts'
import { createRateLimiter, type Allowance } from '../rate-limit.ts'

/** How often a password may be tried, whatever comes of it. */
export interface Throttle {
  ofAddress(address: string): Promise<Allowance>
  ofUser(userId: string): Promise<Allowance>
}

const OF_AN_ADDRESS = { perMinute: 10, perDay: 100 }
/**
 * More than one address may try, so that none alone keeps a user out; and by the minute only, as whoever tries from many could
 * do so for the day.
 */
const OF_A_USER = { perMinute: 20, perDay: 20 * 24 * 60 }

/** Counted as requests are, in Postgres by all processes together. A name that nobody has counts like any other. */
export function createThrottle(db: Database, clock: Clock): Throttle {
  const addresses = createRateLimiter(db, clock, OF_AN_ADDRESS)
  const users = createRateLimiter(db, clock, OF_A_USER)
  return {
    ofAddress: (address) => addresses.admit(`sign-in:${address}`),
    ofUser: (userId) => users.admit(`sign-in:${userId}`),
  }
}
