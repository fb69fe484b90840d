import * as z from 'zod'
import { PlatformError, type PublishHandle } from '../kit/platform.ts'

const common = {
  /** ISO 8601 UTC. For a video, when its upload was initialized; for a photo, when the first attempt began. */
  startedAt: z.iso.datetime(),
  /** For the permalink. Empty if unknown. */
  username: z.string(),
  /** Whether the post is public; only then does TikTok give it a post id. */
  isPublic: z.boolean(),
  /** Whether it was uploaded to the creator's inbox. Absent in older handles. */
  isForInbox: z.boolean().default(false),
}

const videoSchema = z.object({
  ...common,
  publishId: z.string().min(1),
  /** Valid for an hour, and the only secret in here. */
  uploadUrl: z.url({ protocol: /^https?$/ }),
  bytes: z.int().positive(),
  type: z.string().min(1),
  /** How often the upload was ready for its last chunk. */
  handedOver: z.int().nonnegative(),
})
export type VideoHandle = Readonly<z.infer<typeof videoSchema>>

const photoSchema = z.object({
  ...common,
  /** The `post_info` besides the text. */
  info: z.record(z.string(), z.union([z.string(), z.boolean()])),
  /** Where TikTok fetches the photos. Absent in older handles: at the URLs of the post. */
  mediaUrls: z.array(z.string()).optional(),
  /** Set once TikTok has answered the visible call; `at` is when, ISO 8601 UTC. */
  taken: z.object({ publishId: z.string().min(1), at: z.iso.datetime() }).optional(),
})
export type PhotoHandle = Readonly<z.infer<typeof photoSchema>>

/** Undefined if the handle is not one of this connector's, or not a video's. */
export function videoHandle(given: PublishHandle | undefined): VideoHandle | undefined {
  return videoSchema.safeParse(given).data
}

/** Undefined if the handle is not one of this connector's, or not a photo's. */
export function photoHandle(given: PublishHandle | undefined): PhotoHandle | undefined {
  return photoSchema.safeParse(given).data
}

export function unreadable(): PlatformError {
  return new PlatformError('permanent', 'The data prepared for TikTok could not be read.')
}
