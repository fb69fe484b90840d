import * as z from 'zod'
import { handleSchema, readHandle } from '../meta/handle.ts'
import * as meta from '../meta/pace.ts'
import type { PublishHandle } from '../kit/platform.ts'

const schema = handleSchema.extend({
  /** When it was last passed on for publishing, ISO 8601 UTC. */
  attemptAt: z.iso.datetime().optional(),
})
export type Handle = Readonly<z.infer<typeof schema>>

/** @throws PlatformError `permanent` for a handle from another connector */
export function handleOf(given: PublishHandle): Handle {
  return readHandle(schema, given, 'Threads')
}

/** Delay (ms) before the next look at a container of this age (ms). */
export function paceAt(ageMs: number): number {
  return meta.paceAt(ageMs, 60_000)
}
