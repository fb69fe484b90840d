import * as z from 'zod'
import { PlatformError, type PublishHandle } from '../kit/platform.ts'
import { idSchema } from './call.ts'

const handleSchema = z.object({
  mediaId: idSchema,
  /** Identifies our post: each job has its own upload, so no other post shows one with this key. */
  mediaKey: z.string().min(1),
  /** Of further images. Absent in handles of earlier versions. */
  moreIds: z.array(idSchema).default([]),
  /** Keys of abandoned uploads, to find a post that was published with one of them. */
  earlierKeys: z.array(z.string()),
  /** When the first upload began; the post cannot be older. */
  since: z.iso.datetime(),
  uploadedAt: z.iso.datetime(),
  /** When X forgets the upload. */
  expiresAt: z.iso.datetime(),
  /** Whether X has processed the upload, so that a post may use it. */
  ready: z.boolean(),
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
  throw new PlatformError('permanent', 'The data prepared for X could not be read.')
}
