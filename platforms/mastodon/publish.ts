import { checkedOptions } from '../kit/checked-options.ts'
import {
  PlatformError,
  type PlatformAccount,
  type PlatformIo,
  type Published,
  type PublishHandle,
  type PublishJob,
} from '../kit/platform.ts'
import { readTextHandle } from '../kit/text-handle.ts'
import { callAs } from './api.ts'
import { is } from './errors.ts'
import { mustBeHandle } from './handle.ts'
import { mastodonOptions } from './options.ts'
import { publishedAs, statusSchema } from './own-statuses.ts'

/** The visible call. Every part of a chain has the visibility and the content warning of the whole. */
export async function publish(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Published> {
  const text = readTextHandle(given)
  const { uploads, sentBefore } = text ? { ...text, uploads: [] } : mustBeHandle(given)
  const { visibility = 'public', contentWarning, sensitive, language } = checkedOptions(mastodonOptions, job)
  const json = {
    status: job.text,
    visibility,
    ...(uploads.length > 0 && { media_ids: uploads.map(({ id }) => id) }),
    ...(job.inReplyTo && { in_reply_to_id: job.inReplyTo.previous.postId }),
    ...(contentWarning !== undefined && { spoiler_text: contentWarning }),
    ...(sensitive !== undefined && { sensitive }),
    ...(language !== undefined && { language }),
  }
  try {
    return await postStatus(job, json, io)
  } catch (error) {
    if (!is(error, 'unusable media')) throw error
    // After an earlier call, only a search can show whether it is our own post that has them.
    if (sentBefore) throw new PlatformError('ambiguous', error.message, { cause: error })
    throw new PlatformError('retryable', error.message, { startOver: true, cause: error })
  }
}

/**
 * Posts a status. Mastodon answers the same key with the same post for an hour; other servers ignore it, so that it proves nothing.
 *
 * @throws PlatformError
 */
export async function postStatus(
  { key, account }: { readonly key: string; readonly account: PlatformAccount },
  json: object,
  io: PlatformIo,
): Promise<Published> {
  const headers = { 'idempotency-key': key }
  const call = { method: 'POST', path: '/api/v1/statuses', headers, json, effect: 'visible' } as const
  return publishedAs(await callAs(account, call, statusSchema.pick({ id: true, url: true }), io), account)
}
