import * as z from 'zod'
import { PlatformError } from '../kit/platform.ts'
import type { Api } from './api.ts'
import { failureOf } from './fail-reasons.ts'
import { plainId } from '../kit/plain-id.ts'

/** The status of a post at TikTok. */
export type Standing =
  /** Waiting for more bytes. */
  | { readonly step: 'uploading'; readonly uploadedBytes: number }
  | { readonly step: 'working' }
  /** Published, or in the creator's inbox. The id appears once the post is public, which may be later or never. */
  | { readonly step: 'complete'; readonly postId: string | undefined; readonly isInInbox: boolean }
  /** Not published, and never will be. */
  | { readonly step: 'failed'; readonly error: PlatformError }

const id = z.union([plainId, z.int().transform(String)])
const statusAnswer = z.object({
  status: z.string(),
  fail_reason: z.string().catch(''),
  publicaly_available_post_id: z.array(id).catch([]),
  uploaded_bytes: z.number().catch(0),
})

/** What was sent. */
interface Sent {
  readonly publishId: string
  /** Size of the upload; absent if TikTok fetches the media. */
  readonly bytes?: number
  readonly isForInbox: boolean
}

/** @throws PlatformError */
export async function standingOf({ publishId, bytes = 0, isForInbox }: Sent, api: Api): Promise<Standing> {
  const call = { path: '/post/publish/status/fetch/', json: { publish_id: publishId } }
  const { status, fail_reason, publicaly_available_post_id: ids, uploaded_bytes } = await api(call, statusAnswer)
  switch (status) {
    case 'PUBLISH_COMPLETE':
      return { step: 'complete', postId: ids[0], isInInbox: false }
    case 'FAILED':
      return { step: 'failed', error: failureOf(fail_reason) }
    case 'SEND_TO_USER_INBOX': {
      if (isForInbox) return { step: 'complete', postId: undefined, isInInbox: true }
      const message = "TikTok saved the post as a draft in the account's inbox; it was not published."
      return { step: 'failed', error: new PlatformError('permanent', message) }
    }
    case 'PROCESSING_UPLOAD':
      if (uploaded_bytes < bytes) return { step: 'uploading', uploadedBytes: uploaded_bytes }
  }
  return { step: 'working' }
}
