import { randomBytes } from 'node:crypto'
import { encodeTime, monotonicFactory } from 'ulid'

/** An id's prefix says what it identifies. */
export type IdPrefix =
  | 'post'
  | 'draft'
  | 'vid'
  | 'med'
  | 'rep'
  | 'wh'
  | 'dlv'
  | 'evt'
  | 'feed'
  | 'rule'
  | 'acc'
  | 'key'
  | 'inv'
  | 'chn'
  | 'ntf'
  | 'ws'
  | 'ers'
  | 'rmv'
  | 'auth'

/** A resource id made from a ULID: `post_01J...`. */
export function resourceId(prefix: IdPrefix, ulid: string): string {
  return `${prefix}_${ulid}`
}

/** The only source of ids. */
export interface Ids {
  /** A ULID with 80 random bits: sortable by time, not guessable. */
  ulid(): string
  /** A random UUID-shaped token, for commands and leases. */
  token(): string
}

/** Draws random bytes in blocks: 0.5 µs per id. `ulid()` would ask the operating system for every character (33 µs). */
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
    // A factory increments within a millisecond, so reusing one would give guessable ids: each id gets its own.
    ulid: () => monotonicFactory(random)(now()),
    token: () => crypto.randomUUID(),
  }
}

/** The common prefix of all ULIDs of a moment (ms since the epoch). */
export function ulidTime(ms: number): string {
  return encodeTime(ms)
}
