import { handleSchema, readHandle, type Handle } from '../meta/handle.ts'
import * as meta from '../meta/pace.ts'
import type { PublishHandle } from '../kit/platform.ts'

/** @throws PlatformError `permanent` for a handle that is not of this connector */
export function handleOf(given: PublishHandle): Handle {
  return readHandle(handleSchema, given, 'Instagram')
}

/** How long (ms) to wait before another look at a container of that age (ms). */
export function paceAt(ageMs: number): number {
  return meta.paceAt(ageMs, 30_000)
}
