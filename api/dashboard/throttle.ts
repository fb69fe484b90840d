import { Refusal } from '../../domain/core/errors.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { createRateLimiter, type Allowance } from '../http/rate-limit.ts'

/** Limits how often a password may be tried, whether or not it is right. */
export interface Throttle {
  ofAddress(address: string): Promise<Allowance>
  ofUser(userId: string): Promise<Allowance>
  /** For the second step: who gets there knows the password. */
  ofCode(userId: string): Promise<Allowance>
  /** For a link to a post, of which the secret cannot be guessed: several people of one office may review. */
  ofGuest(address: string): Promise<Allowance>
  /** For asking for a link by e-mail. */
  ofReset(userId: string): Promise<Allowance>
  /**
   * Checks a password, unless so many already wait that there would be no answer in time: the limits above do not slow down
   * many addresses together.
   *
   * @throws Refusal rate_limit_exceeded
   */
  inLine(look: () => Promise<boolean>): Promise<boolean>
}

const OF_AN_ADDRESS = { perMinute: 10, perDay: 100 }
/**
 * Higher than for one address, so that no single address can lock a user out. Effectively per minute only, because an attacker
 * with many addresses could otherwise lock the user out for the day.
 */
const OF_A_USER = { perMinute: 20, perDay: 20 * 24 * 60 }
/** Six digits can be guessed, so the day is limited, too: 100 guesses a day find one of three codes once in nine years. */
const OF_A_CODE = { perMinute: 10, perDay: 100 }
const OF_A_GUEST = { perMinute: 30, perDay: 1_000 }
/** So that nobody's mailbox is flooded by a stranger who knows their name. */
const OF_A_RESET = { perMinute: 2, perDay: 10 }
/** Per process. Passwords are checked one at a time, each in a third of a second or, on a busy machine, a full second. */
const MOST_IN_LINE = 25
const LINE_S = 10

/** Counted like requests, in Postgres across all processes. An unknown name counts like any other. */
export function createThrottle(db: Database, clock: Clock): Throttle {
  const addresses = createRateLimiter(db, clock, OF_AN_ADDRESS)
  const users = createRateLimiter(db, clock, OF_A_USER)
  const codes = createRateLimiter(db, clock, OF_A_CODE)
  const guests = createRateLimiter(db, clock, OF_A_GUEST)
  const resets = createRateLimiter(db, clock, OF_A_RESET)
  let inLine = 0
  return {
    ofAddress: (address) => addresses.admit(`sign-in:${address}`),
    ofUser: (userId) => users.admit(`sign-in:${userId}`),
    ofCode: (userId) => codes.admit(`code:${userId}`),
    ofGuest: (address) => guests.admit(`guest:${address}`),
    ofReset: (userId) => resets.admit(`reset:${userId}`),
    inLine: async (look) => {
      if (inLine >= MOST_IN_LINE) {
        throw new Refusal('rate_limit_exceeded', `Too many password attempts. Try again in ${LINE_S} s.`, {
          retryAfterS: LINE_S,
        })
      }
      inLine += 1
      return look().finally(() => (inLine -= 1))
    },
  }
}
