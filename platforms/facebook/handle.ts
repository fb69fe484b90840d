import { z } from 'zod'
import { PlatformError, type PublishHandle } from '../kit/platform.ts'

/** Found to be out already: there is nothing to send any more. */
const published = z.object({ postId: z.string().min(1), url: z.string() }).optional()
const time = z.iso.datetime()

/** A photo that nobody sees until a post shows it. */
const photo = z.object({
  kind: z.literal('photo'),
  photoId: z.string().min(1),
  createdAt: time,
  published,
})
/** A reel on its way: its id is known before anything is visible. */
const reel = z.object({
  kind: z.literal('reel'),
  videoId: z.string().min(1),
  uploadUrl: z.url(),
  bytes: z.int(),
  createdAt: time,
  /** How many before this one came to nothing. */
  failures: z.int(),
  /** When Facebook said that it has it. */
  uploadedAt: time.optional(),
  /** It was once ready: it may have been published since. */
  ready: z.literal(true).optional(),
  /** It was found being published, or published. */
  submitted: z.literal(true).optional(),
})
/** A plain video has no id before it is visible. */
const video = z.object({
  kind: z.literal('video'),
  bytes: z.int(),
  readyAt: time,
  /** Videos of the same text that were there before: they are not it. */
  others: z.array(z.string()),
  published,
})
const schema = z.discriminatedUnion('kind', [photo, reel, video])

export type PhotoHandle = Readonly<z.infer<typeof photo>>
export type ReelHandle = Readonly<z.infer<typeof reel>>
export type VideoHandle = Readonly<z.infer<typeof video>>
export type Handle = PhotoHandle | ReelHandle | VideoHandle

/** @throws PlatformError `permanent` for a handle that is not of this connector */
export function handleOf(given: PublishHandle): Handle {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new PlatformError('permanent', 'What was prepared for Facebook can not be read.')
}
