import { z } from 'zod'
import { PlatformError, type PublishHandle } from '../kit/platform.ts'

export const handleSchema = z.object({
  containerId: z.string().min(1),
  /** ISO 8601 UTC, as all times here. */
  createdAt: z.iso.datetime(),
  /** How many containers before this one came to nothing. */
  failures: z.int(),
  /** How often it was said that there is no such container. */
  misses: z.int().optional(),
  /** When it was first found finished: it may have been published since. */
  readyAt: z.iso.datetime().optional(),
  /** Posts of the same text that were live before: they are not it. */
  others: z.array(z.string()).optional(),
  /** It was found published: there is nothing to send any more. */
  published: z.literal(true).optional(),
})
export type Handle = Readonly<z.infer<typeof handleSchema>>

/** @throws PlatformError `permanent` for a handle that is not of this connector */
export function readHandle<T>(schema: z.ZodType<T>, given: PublishHandle, name: string): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new PlatformError('permanent', `What was prepared for ${name} can not be read.`)
}

/** Milliseconds since the epoch; of a container that was never found finished, since when it is there. */
export function publishedFrom({ readyAt, createdAt }: Handle): number {
  return Date.parse(readyAt ?? createdAt)
}
