import { z } from 'zod'
import type { PublishHandle } from '../kit/platform.ts'
import { destinationSchema } from './credentials.ts'

export const uploadSchema = z.object({
  mediaId: z.string().min(1),
  /** ISO 8601 UTC: from then on Pinterest is at work. */
  uploadedAt: z.iso.datetime(),
  /** How often the video was uploaded for this post, Pinterest having lost it in between. */
  uploads: z.int().positive(),
})
export type Upload = z.infer<typeof uploadSchema>

const handleSchema = z.object({
  /** ISO 8601 UTC: no attempt of this post began earlier. A lost Pin is searched from there. */
  since: z.iso.datetime(),
  destination: destinationSchema,
  /** Of a video. */
  upload: uploadSchema.optional(),
})
export type PinHandle = z.infer<typeof handleSchema>

/** Undefined when it is none of this connector's. */
export function pinHandle(handle: PublishHandle | undefined): PinHandle | undefined {
  return handleSchema.safeParse(handle).data
}
