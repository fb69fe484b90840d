import * as z from 'zod'
import type { PublishHandle } from '../kit/platform.ts'
import { placeSchema } from './credentials.ts'

const handleSchema = z.object({
  /** ISO 8601 UTC. When the first attempt at this post began, and the start of any search for it. */
  since: z.iso.datetime(),
  place: placeSchema,
  /** Of the image, if it was converted. */
  imageUrl: z.string().optional(),
})
export type LocalPostHandle = z.infer<typeof handleSchema>

/** Undefined if the handle is not one of this connector's. */
export function localPostHandle(handle: PublishHandle | undefined): LocalPostHandle | undefined {
  return handleSchema.safeParse(handle).data
}
