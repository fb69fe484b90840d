import { handleSchema, readHandle, type Handle } from '../meta/handle.ts'
import * as meta from '../meta/pace.ts'
import type { PublishHandle } from '../kit/platform.ts'

/** @throws PlatformError `permanent` for a handle from another connector */
export function handleOf(given: PublishHandle): Handle {
  return readHandle(handleSchema, given, 'Instagram')
}

/** Delay (ms) before the next look at a container of this age (ms). */
export function paceAt(ageMs: number): number {
  return meta.paceAt(ageMs, 30_000)
}
