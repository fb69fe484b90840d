import { checkedOptions } from '../kit/checked-options.ts'
import {
  PlatformError,
  type PlatformIo,
  type PublishHandle,
  type Publishing,
  type PublishJob,
} from '../kit/platform.ts'
import { googleApi } from './api.ts'
import { localPostHandle } from './handle.ts'
import { localPostSchema, LOOK_AGAIN_MS, publishedPost, REJECTED } from './local-post.ts'
import { fieldsOf, googlebusinessOptions } from './options.ts'

/** Google fetches the image during the call. */
export const PUBLISH_TIMEOUT_MS = 60_000

/** The one visible call. If the post is not visible yet, `find` follows it up in the list. */
export async function publishPost(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Publishing> {
  const handle = localPostHandle(given)
  if (!handle) throw new PlatformError('permanent', 'The data prepared for Google Business could not be read.')
  const { location, languageCode } = handle.place
  const json = {
    ...(languageCode !== undefined && { languageCode }),
    ...(job.text.trim() !== '' && { summary: job.text }),
    ...fieldsOf(checkedOptions(googlebusinessOptions, job)),
    media: [{ mediaFormat: 'PHOTO', sourceUrl: handle.imageUrl ?? job.mediaUrl }],
  }
  const api = googleApi(job.account.baseUrl, io)
  const url = `${api.hosts.posts}/${location}/localPosts`
  const call = { method: 'POST', url, json, timeoutMs: PUBLISH_TIMEOUT_MS, effect: 'visible' } as const
  const post = await api.call(call, localPostSchema)
  if (post.state === 'REJECTED') throw new PlatformError('permanent', REJECTED)
  if (post.state === 'PROCESSING') return { outcome: 'processing', lookAgainMs: LOOK_AGAIN_MS }
  return { outcome: 'published', published: publishedPost(post, handle.place) }
}
