import { derivedId } from './ids.ts'

/** The most that is added to a pause, so that what failed together does not come back together. */
const MOST_JITTER = 0.05

/** A try that failed. Times are ms since the epoch. */
export interface FailedTry {
  /** What its jitter follows from, the same each time. */
  readonly name: string
  /** How many tries there were before it on the ladder. */
  readonly before: number
  readonly at: number
  /** How long (ms) the other side wants to be left alone. */
  readonly retryAfterMs?: number | undefined
}

/**
 * When to try again: one pause (ms) for each rung of the ladder, never less (api-spec §6, Rules). A wish for more is heeded as
 * far as the next rung's pause. Undefined at the ladder's end.
 */
export function nextTryAt(delaysMs: readonly number[], failed: FailedTry): number | undefined {
  const { name, before, at, retryAfterMs = 0 } = failed
  const step = delaysMs[before]
  if (step === undefined) return undefined
  const next = delaysMs[before + 1] ?? step
  const pause = Math.max(step, Math.min(retryAfterMs, next))
  return at + pause + Math.floor(pause * MOST_JITTER * fraction(name))
}

/** From 0 to 1, evenly spread over names. */
function fraction(name: string): number {
  return Number.parseInt(derivedId('jitter', name).slice(0, 8), 16) / 2 ** 32
}
