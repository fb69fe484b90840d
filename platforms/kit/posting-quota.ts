import type { PlatformError } from './platform.ts'

/** How many posts a platform lets an account publish in a while, where that is known before it refuses one. */
export interface PostingQuota {
  readonly posts: number
  /** Those published after this time count (ms since the epoch). */
  since(now: number): number
  /** What the connector throws when the quota is used up. @param used such as `100 of 100` */
  refusal(used: string, now: number): PlatformError
}

/** The start of a period (ms) that ends now. */
export function rolling(ms: number): PostingQuota['since'] {
  return (now) => now - ms
}
