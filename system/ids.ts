import { randomBytes } from 'node:crypto'
import { monotonicFactory } from 'ulid'

/** The resource id prefixes of `docs/decisions`: an id says what it names. */
export type IdPrefix = 'post' | 'vid' | 'rep' | 'wh' | 'dlv' | 'feed' | 'rule' | 'acc' | 'key' | 'ws'

/** The one source of identity. */
export interface Ids {
  /** A prefixed ULID of 80 random bits: sortable by time, not guessable. */
  next(prefix: IdPrefix): string
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
    next: (prefix) => `${prefix}_${monotonicFactory(random)(now())}`,
    token: () => crypto.randomUUID(),
  }
}
