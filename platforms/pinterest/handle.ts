import * as z from 'zod'
import type { PublishHandle } from '../kit/platform.ts'
import { destinationSchema } from './credentials.ts'

export const uploadSchema = z.object({
  mediaId: z.string().min(1),
  /** ISO 8601 UTC. When Pinterest started to process the video. */
  uploadedAt: z.iso.datetime(),
  /** How often the video was uploaded for this post, because Pinterest lost it. */
  uploads: z.int().positive(),
})
export type Upload = z.infer<typeof uploadSchema>

const handleSchema = z.object({
  /** ISO 8601 UTC. When the first attempt at this post began, and the start of any search for it. */
  since: z.iso.datetime(),
  destination: destinationSchema,
  /** Videos only. */
  upload: uploadSchema.optional(),
  /** Of the images, in order, if one was converted. */
  imageUrls: z.array(z.string()).optional(),
})
export type PinHandle = z.infer<typeof handleSchema>

/** Undefined if the handle is not one of this connector's. */
export function pinHandle(handle: PublishHandle | undefined): PinHandle | undefined {
  return handleSchema.safeParse(handle).data
}
