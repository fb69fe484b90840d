import { derivedId } from './ids.ts'

/** The largest share of a delay added as jitter, so that work that failed together is not retried together. */
const MOST_JITTER = 0.05

/** A failed attempt. Times are ms since the epoch. */
export interface FailedTry {
  /** Seed of the jitter, which is deterministic. */
  readonly name: string
  /** The number of attempts before it on the ladder. */
  readonly before: number
  readonly at: number
  /** The delay (ms) that the other side asked for. */
  readonly retryAfterMs?: number | undefined
}

/**
 * When to retry, waiting at least the delay (ms) of the ladder's current step (api-spec §6, Rules). A longer `retryAfterMs` is
 * honored up to the next step's delay. Undefined at the end of the ladder.
 */
export function nextTryAt(delaysMs: readonly number[], failed: FailedTry): number | undefined {
  const { name, before, at, retryAfterMs = 0 } = failed
  const step = delaysMs[before]
  if (step === undefined) return undefined
  const next = delaysMs[before + 1] ?? step
  const pause = Math.max(step, Math.min(retryAfterMs, next))
  return at + pause + Math.floor(pause * MOST_JITTER * fraction(name))
}

/** From 0 to 1, uniformly distributed over names. */
function fraction(name: string): number {
  return Number.parseInt(derivedId('jitter', name).slice(0, 8), 16) / 2 ** 32
}
