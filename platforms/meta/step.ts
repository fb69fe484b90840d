import { isoTime } from '../../infra/runtime/clock.ts'
import { PlatformError, type Prepared } from '../kit/platform.ts'
import type { ContainerState } from './container.ts'
import { publishedFrom, type Handle } from './handle.ts'
import { CONTAINER_LIFE_MS } from './pace.ts'

/** What a look at a container comes to. */
export type Step =
  | Prepared
  /** It came to nothing and surely was not published. */
  | { readonly outcome: 'start anew' }

/** How a platform goes about a container that is not ready. */
export interface Patience {
  /** The platform's name, as it is shown. */
  readonly name: string
  /** Milliseconds until the next look at a container of that age (ms). */
  readonly paceAt: (ageMs: number) => number
  /** How many containers in all each is worth, after the first. */
  readonly again: { readonly expired: number; readonly untold: number }
}

/** Of a container that can't be looked at just now. */
const UNTOLD_MS = 30_000

/** @throws PlatformError `permanent` when another container would do no better */
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
      throw new PlatformError('permanent', `${name} has not finished processing the media within 24 hours.`)
    case 'failed':
      return anew(handle, state.again, state.why)
    case 'expired':
      return anew(handle, again.expired, `${name} let what was prepared expire.`)
    case 'untold':
      if (ageMs < CONTAINER_LIFE_MS) return lookAgain(handle, Math.max(paceAt(ageMs), UNTOLD_MS))
      return anew(handle, again.untold, state.error.message)
  }
}

export function lookAgain(handle: Handle, lookAgainMs: number): Step {
  return { outcome: 'processing', handle, lookAgainMs }
}

/** It can only be noted as published. */
export function alreadyOut(handle: Handle): Step {
  return { outcome: 'ready', handle: { ...handle, readyAt: isoTime(publishedFrom(handle)), published: true } }
}

/** The container is not known: it is given up for another when that was said too often. */
export function missed(
  handle: Handle,
  allowed: { readonly times: number; readonly everyMs: number },
  again: number,
  why: string,
): Step {
  const misses = (handle.misses ?? 0) + 1
  return misses <= allowed.times ? lookAgain({ ...handle, misses }, allowed.everyMs) : anew(handle, again, why)
}

function anew({ failures }: Handle, again: number, why: string): Step {
  if (failures < again) return { outcome: 'start anew' }
  throw new PlatformError('permanent', failures === 0 ? why : `${why} It was tried ${failures + 1} times.`)
}
