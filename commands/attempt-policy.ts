import { isoTime } from '../infra/runtime/clock.ts'

/** How often a failure that will pass is tried again: one delay (ms) after each attempt, then it is given up. */
export interface AttemptPolicy {
  readonly delaysMs: readonly number[]
}

/**
 * When to try again after `attempts` attempts, or undefined when they are used up. A platform that said how long to
 * wait is believed, up to a day.
 */
export function nextAttemptAt(
  policy: AttemptPolicy,
  attempts: number,
  now: number,
  retryAfterMs = 0,
): string | undefined {
  // A retry that was asked for, and has come to nothing but looking so far, has its attempts still to come.
  const delay = attempts === 0 ? 0 : policy.delaysMs[attempts - 1]
  if (delay === undefined) return undefined
  return isoTime(now + Math.max(delay, Math.min(retryAfterMs, 86_400_000)))
}
