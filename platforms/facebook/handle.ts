import * as z from 'zod'
import { PlatformError, type PublishHandle } from '../kit/platform.ts'

/** Found already published: nothing is left to send. */
const published = z.object({ postId: z.string().min(1), url: z.string() }).optional()
const time = z.iso.datetime()
/** Where Facebook fetches it, if that is not the URL of the post. */
const mediaUrl = z.url().optional()

/** A photo, invisible until a post shows it. */
const photo = z.object({
  kind: z.literal('photo'),
  photoId: z.string().min(1),
  /** Further photos of the same post. Absent in handles of earlier versions. */
  moreIds: z.array(z.string().min(1)).default([]),
  createdAt: time,
  published,
})
/** A reel, or the video of a story, in progress: its id is known before anything is visible. */
const reel = z.object({
  kind: z.literal('reel'),
  videoId: z.string().min(1),
  uploadUrl: z.url(),
  mediaUrl,
  bytes: z.int(),
  createdAt: time,
  /** How many earlier videos failed. */
  failures: z.int(),
  /** When Facebook confirmed that it has the video. */
  uploadedAt: time.optional(),
  /** It was ready once: it may have been published since. */
  ready: z.literal(true).optional(),
  /** It was found publishing or published. */
  submitted: z.literal(true).optional(),
})
/** A plain video has no id before it is visible. */
const video = z.object({
  kind: z.literal('video'),
  mediaUrl,
  bytes: z.int(),
  readyAt: time,
  /** Videos with the same text that existed before: none of them is this one. */
  others: z.array(z.string()),
  published,
})
const schema = z.discriminatedUnion('kind', [photo, reel, video])

export type PhotoHandle = Readonly<z.infer<typeof photo>>
export type ReelHandle = Readonly<z.infer<typeof reel>>
export type VideoHandle = Readonly<z.infer<typeof video>>
export type Handle = PhotoHandle | ReelHandle | VideoHandle

/** @throws PlatformError `permanent` for a handle from another connector */
export function handleOf(given: PublishHandle): Handle {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new PlatformError('permanent', 'The data prepared for Facebook could not be read.')
}
