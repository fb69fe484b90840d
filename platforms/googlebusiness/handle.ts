import { z } from 'zod'
import type { PublishHandle } from '../kit/platform.ts'
import { placeSchema } from './credentials.ts'

const handleSchema = z.object({
  /** ISO 8601 UTC: no attempt of this post began earlier. A lost post is searched from there. */
  since: z.iso.datetime(),
  place: placeSchema,
})
export type LocalPostHandle = z.infer<typeof handleSchema>

/** Undefined when it is none of this connector's. */
export function localPostHandle(handle: PublishHandle | undefined): LocalPostHandle | undefined {
  return handleSchema.safeParse(handle).data
}
