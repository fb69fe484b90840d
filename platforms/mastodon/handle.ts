import * as z from 'zod'
import { PlatformError, type PublishHandle } from '../kit/platform.ts'

const handleSchema = z.object({
  uploads: z.array(z.object({ id: z.string(), url: z.string().optional() })),
  /** Ids and URLs of abandoned uploads, to find a post that was published with one of them. */
  earlier: z.array(z.string()),
  /** How often the media was uploaded before. */
  attempt: z.number(),
  /** When the first upload began; the post cannot be older. */
  since: z.iso.datetime(),
  uploadedAt: z.iso.datetime(),
  /** Whether an earlier attempt may have sent the post, without a known success. */
  sentBefore: z.boolean(),
})
export type Handle = Readonly<z.infer<typeof handleSchema>>

export function readHandle(given: PublishHandle | undefined): Handle | undefined {
  return handleSchema.safeParse(given).data
}

/** @throws PlatformError `permanent` */
export function mustBeHandle(given: PublishHandle): Handle {
  const handle = readHandle(given)
  if (handle) return handle
  throw new PlatformError('permanent', 'The data prepared for Mastodon could not be read.')
}

/** Whether all of the media is processed, so that a post may show it. */
export function isReady({ uploads }: Pick<Handle, 'uploads'>): boolean {
  return uploads.every(({ url }) => url !== undefined)
}

/** Whatever identifies the uploads in a post. */
export function marksOf({ uploads }: Pick<Handle, 'uploads'>): readonly string[] {
  return uploads.flatMap(({ id, url }) => [id, ...(url === undefined ? [] : [url])])
}
