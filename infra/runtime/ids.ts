import { randomBytes } from 'node:crypto'
import { encodeTime, monotonicFactory } from 'ulid'

/** What an id begins with says what it names. */
export type IdPrefix = 'post' | 'vid' | 'rep' | 'wh' | 'dlv' | 'evt' | 'feed' | 'rule' | 'acc' | 'key' | 'ws' | 'auth'

/** The resource id made of a ULID: `post_01J...`. */
export function resourceId(prefix: IdPrefix, ulid: string): string {
  return `${prefix}_${ulid}`
}

/** The one source of identity. */
export interface Ids {
  /** A ULID of 80 random bits: sortable by time, not guessable. */
  ulid(): string
  /** A random UUID-shaped token, for commands and leases. */
  token(): string
}

/** `ulid()` asks the operating system for every character (33 µs an id); bytes drawn in blocks make it 0.5 µs. */
function blockRandom(): () => number {
  let block = randomBytes(0)
  let offset = 0
  return () => {
    if (offset >= block.length) {
      block = randomBytes(4096)
      offset = 0
    }
    return block.readUInt8(offset++) / 256
  }
}

export function randomIds(now: () => number): Ids {
  const random = blockRandom()
  return {
    // A factory counts up within a millisecond, so one used twice would give guessable ids: each id has its own.
    ulid: () => monotonicFactory(random)(now()),
    token: () => crypto.randomUUID(),
  }
}

/** What the ULIDs of a moment (ms since the epoch) begin with. */
export function ulidTime(ms: number): string {
  return encodeTime(ms)
}
