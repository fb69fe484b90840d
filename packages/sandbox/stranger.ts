import { createHash } from 'node:crypto'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** When the strangers' accounts were created. */
const BEGAN = Date.UTC(2024, 0, 1)

/** A simulated public account outside the sandbox. Deterministic: its name alone defines its history. */
export interface Stranger {
  /** @param at milliseconds since the epoch */
  followers(at: number): number
  /** Number of posts at that time. */
  posts(at: number): number
  /** Times of its posts in the period (both ends included), newest first. Milliseconds since the epoch. */
  postedBetween(from: number, to: number): readonly number[]
}

/** Posts every 6 to 65 hours, and gains 1 to 100 followers a day. */
export function stranger(name: string): Stranger {
  const hash = createHash('sha256').update(name).digest()
  const everyMs = (6 + (hash.readUInt8(0) % 60)) * HOUR_MS
  const first = BEGAN + (hash.readUInt32BE(1) % everyMs)
  const followersADay = 1 + (hash.readUInt8(5) % 100)
  const posts = (at: number): number => Math.max(0, Math.floor((at - first) / everyMs) + 1)
  return {
    followers: (at) => Math.max(0, Math.floor((followersADay * (at - BEGAN)) / DAY_MS)),
    posts,
    postedBetween: (from, to) => {
      const before = posts(from - 1)
      const count = Math.max(0, posts(to) - before)
      return Array.from({ length: count }, (_, index) => first + (before + index) * everyMs).toReversed()
    },
  }
}
