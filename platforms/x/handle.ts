import { z } from 'zod'
import { PlatformError, type PublishHandle } from '../kit/platform.ts'
import { idSchema } from './call.ts'

const handleSchema = z.object({
  mediaId: idSchema,
  /** Which of our uploads a post shows: each job has its own, so the key tells our post from all others. */
  mediaKey: z.string().min(1),
  /** Keys of uploads given up for this one: a post that went out with one of them is found too. */
  earlierKeys: z.array(z.string()),
  /** When the first upload began, and with it the time in which a post can have gone out. */
  since: z.iso.datetime(),
  uploadedAt: z.iso.datetime(),
  /** From then on X does not know the upload any more. */
  expiresAt: z.iso.datetime(),
  /** Whether X has processed it, so that a post may show it. */
  ready: z.boolean(),
  /** Whether a post was sent before, which X then did not take, or was not seen to have. */
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
  throw new PlatformError('permanent', 'What was prepared for X can not be read.')
}
