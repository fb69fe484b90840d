import { z } from 'zod'
import { PlatformError, type PublishHandle } from '../platform.ts'

const schema = z.object({
  containerId: z.string().min(1),
  /** ISO 8601 UTC, as all times here. */
  createdAt: z.iso.datetime(),
  /** How many containers before this one came to nothing. */
  failures: z.int(),
  /** How often Threads did not know the container. */
  misses: z.int().optional(),
  /** When it was first found finished: it may have been published since. */
  readyAt: z.iso.datetime().optional(),
  /** When it was last handed on to be published. */
  attemptAt: z.iso.datetime().optional(),
  /** Posts of the same text that were live before: they are not it. */
  others: z.array(z.string()).optional(),
  /** It was found published: there is nothing to send any more. */
  published: z.literal(true).optional(),
})
export type Handle = Readonly<z.infer<typeof schema>>

/** @throws PlatformError `permanent` for a handle that is not of this connector */
export function handleOf(given: PublishHandle): Handle {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new PlatformError('permanent', 'What was prepared for Threads can not be read.')
}

/** Milliseconds since the epoch; of a container that was never found finished, since when it is there. */
export function publishedFrom({ readyAt, createdAt }: Handle): number {
  return Date.parse(readyAt ?? createdAt)
}

/** A container lives so long (ms) and no longer. */
export const CONTAINER_LIFE_MS = 86_400_000

const PACES = [
  { untilMs: 60_000, everyMs: 3_000 },
  { untilMs: 300_000, everyMs: 15_000 },
  { untilMs: 3_600_000, everyMs: 60_000 },
] as const

/** How long (ms) to wait before another look at a container of that age (ms). */
export function paceAt(ageMs: number): number {
  return PACES.find(({ untilMs }) => ageMs < untilMs)?.everyMs ?? 300_000
}
