import * as z from 'zod'
import { PlatformError, type PublishHandle } from '../kit/platform.ts'

export const handleSchema = z.object({
  containerId: z.string().min(1),
  /** ISO 8601 UTC, like all times here. */
  createdAt: z.iso.datetime(),
  /** The containers of a carousel's items, while there is none of the carousel: `containerId` is then the last of them. */
  children: z.array(z.string().min(1)).optional(),
  /** How many earlier containers failed. */
  failures: z.int(),
  /** How often Meta reported that the container does not exist. */
  misses: z.int().optional(),
  /** When it was first seen finished: it may have been published since. */
  readyAt: z.iso.datetime().optional(),
  /** Posts with the same text that were already live: none of them is this one. */
  others: z.array(z.string()).optional(),
  /** It was found published: nothing is left to send. */
  published: z.literal(true).optional(),
})
export type Handle = Readonly<z.infer<typeof handleSchema>>

/** @throws PlatformError `permanent` for a handle from another connector */
export function readHandle<T>(schema: z.ZodType<T>, given: PublishHandle, name: string): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new PlatformError('permanent', `The data prepared for ${name} could not be read.`)
}

/** Earliest possible publish time (ms since the epoch): when it was first seen finished, else when it was created. */
export function publishedFrom({ readyAt, createdAt }: Handle): number {
  return Date.parse(readyAt ?? createdAt)
}
