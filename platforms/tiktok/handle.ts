import { z } from 'zod'
import { PlatformError, type PublishHandle } from '../kit/platform.ts'

const common = {
  /** ISO 8601 UTC. Of a video, when TikTok was told of it; of a photo, no attempt began earlier. */
  startedAt: z.iso.datetime(),
  /** For the permalink. */
  username: z.string(),
  /** Whether everyone is to see it: only then TikTok gives it an id of its own. */
  isPublic: z.boolean(),
}

const videoSchema = z.object({
  ...common,
  publishId: z.string().min(1),
  /** Good for an hour, and the only secret here. */
  uploadUrl: z.url({ protocol: /^https?$/ }),
  bytes: z.int().positive(),
  type: z.string().min(1),
  /** How often it was ready for its last chunk. */
  handedOver: z.int().nonnegative(),
})
export type VideoHandle = Readonly<z.infer<typeof videoSchema>>

const photoSchema = z.object({
  ...common,
  /** What TikTok is told beside the text. */
  info: z.record(z.string(), z.union([z.string(), z.boolean()])),
  /** Known once TikTok has answered the visible call, and when it did, ISO 8601 UTC. */
  taken: z.object({ publishId: z.string().min(1), at: z.iso.datetime() }).optional(),
})
export type PhotoHandle = Readonly<z.infer<typeof photoSchema>>

/** Undefined when it is none of this connector's, or no video's. */
export function videoHandle(given: PublishHandle | undefined): VideoHandle | undefined {
  return videoSchema.safeParse(given).data
}

/** Undefined when it is none of this connector's, or no photo's. */
export function photoHandle(given: PublishHandle | undefined): PhotoHandle | undefined {
  return photoSchema.safeParse(given).data
}

export function unreadable(): PlatformError {
  return new PlatformError('permanent', 'What was prepared for TikTok can not be read.')
}
