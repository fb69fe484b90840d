import { isoTime } from '../infra/runtime/clock.ts'

/** How often a transient failure is retried: one delay (ms) after each attempt, then the work is given up. */
export interface AttemptPolicy {
  readonly delaysMs: readonly number[]
}

/**
 * When to retry after `attempts` attempts, or undefined when they are used up. Honors the wait that the platform asked for,
 * up to a day.
 */
export function nextAttemptAt(
  policy: AttemptPolicy,
  attempts: number,
  now: number,
  retryAfterMs = 0,
): string | undefined {
  // A requested retry that has only reconciled so far has made no attempt yet.
  const delay = attempts === 0 ? 0 : policy.delaysMs[attempts - 1]
  if (delay === undefined) return undefined
  return isoTime(now + Math.max(delay, Math.min(retryAfterMs, 86_400_000)))
}
