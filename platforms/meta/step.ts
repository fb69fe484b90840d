import { isoTime } from '../../infra/runtime/clock.ts'
import { PlatformError, type Prepared } from '../kit/platform.ts'
import type { ContainerState } from './container.ts'
import { publishedFrom, type Handle } from './handle.ts'
import { CONTAINER_LIFE_MS } from './pace.ts'

/** Result of checking a container. */
export type Step =
  | Prepared
  /** It failed and certainly was not published. */
  | { readonly outcome: 'start over' }

/** A platform's retry policy for a container that is not ready. */
export interface Patience {
  /** The platform's display name. */
  readonly name: string
  /** Delay (ms) before the next look at a container of this age (ms). */
  readonly paceAt: (ageMs: number) => number
  /** Maximum number of further containers in each case, after the first. */
  readonly again: { readonly expired: number; readonly unknown: number }
}

/** Minimum delay (ms) for a container that cannot be read right now. */
const UNKNOWN_STATE_MS = 30_000

/** @throws PlatformError `permanent` when another container would not help */
export function next(
  state: Exclude<ContainerState, { is: 'finished' | 'published' }>,
  handle: Handle,
  now: number,
  { name, paceAt, again }: Patience,
): Step {
  const ageMs = now - Date.parse(handle.createdAt)
  switch (state.is) {
    case 'in progress':
      if (ageMs < CONTAINER_LIFE_MS) return lookAgain(handle, paceAt(ageMs))
      throw new PlatformError('permanent', `${name} did not finish processing the media within 24 hours.`)
    case 'failed':
      return startOver(handle, state.again, state.why)
    case 'expired':
      return startOver(handle, again.expired, `The prepared media expired on ${name}.`)
    case 'unknown':
      if (ageMs < CONTAINER_LIFE_MS) return lookAgain(handle, Math.max(paceAt(ageMs), UNKNOWN_STATE_MS))
      return startOver(handle, again.unknown, state.error.message)
  }
}

export function lookAgain(handle: Handle, lookAgainMs: number): Step {
  return { outcome: 'processing', handle, lookAgainMs }
}

/** Already published: only the outcome is left to record. */
export function alreadyOut(handle: Handle): Step {
  return { outcome: 'ready', handle: { ...handle, readyAt: isoTime(publishedFrom(handle)), published: true } }
}

/** Meta does not know the container. After too many misses it is given up for another. */
export function missed(
  handle: Handle,
  allowed: { readonly times: number; readonly everyMs: number },
  again: number,
  why: string,
): Step {
  const misses = (handle.misses ?? 0) + 1
  return misses <= allowed.times ? lookAgain({ ...handle, misses }, allowed.everyMs) : startOver(handle, again, why)
}

function startOver({ failures }: Handle, again: number, why: string): Step {
  if (failures < again) return { outcome: 'start over' }
  throw new PlatformError('permanent', failures === 0 ? why : inVain(why, failures + 1))
}

/** @param why what Meta says may lack its period */
export function inVain(why: string, tries: number): string {
  return `${why.replace(/\.?$/, '.')} Fanfare tried ${tries} times.`
}
