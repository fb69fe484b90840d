import { checkedMedia } from '../kit/checked-media.ts'
import { checkedOptions } from '../kit/checked-options.ts'
import type { MediaFacts } from '../../infra/media/media.ts'
import { withToken } from '../kit/oauth-token.ts'
import {
  PlatformError,
  type Platform,
  type PlatformIo,
  type PublishHandle,
  type PublishJob,
  type Publishing,
} from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { analytics } from './analytics.ts'
import { connect } from './connect.ts'
import { conversation } from './conversation.ts'
import { givenCredentials } from './credentials.ts'
import { edit } from './edit.ts'
import { quotaUsedUp } from './errors.ts'
import { findByContent } from './find-by-content.ts'
import { firstComment } from './first-comment.ts'
import { finish, TAKEN_THUMBNAIL } from './finish.ts'
import { brokenCommentRules, textOf, videoOptions } from './options.ts'
import { outcomeOf } from './processing.ts'
import { probe, startSession, uploadOf, type Upload } from './session.ts'
import { brokenTextRules, brokenVideoRules, measured } from './text.ts'
import { authorization, permissions, renewalAt, revoke } from './oauth.ts'
import { pacificMidnight } from './pacific.ts'
import { unpublish } from './unpublish.ts'
import { completed, isSendable, SEND_TIMEOUT_MS } from './upload.ts'

/** 256 GB, read as decimal, the smaller unit. */
const TAKES = { video: { maxBytes: 256_000_000_000, thumbnail: TAKEN_THUMBNAIL } } as const

/**
 * YouTube: videos, through resumable uploads, and their comments. The upload session is the idempotency key of a publish:
 * a repeat resumes where the last one stopped, or finds the one video if that was complete.
 */
export const youtube: Platform = {
  key: 'youtube',
  // `image` is never used: the API cannot post images.
  proof: { image: 'opaque', video: 'idempotent-key' },
  visibleWithinMs: 0,
  publishTimeoutMs: SEND_TIMEOUT_MS,
  coverOption: 'thumbnailUrl',
  takes: TAKES,
  check: ({ text, options }, facts) => [
    ...brokenTextRules(textOf(text, options)),
    ...brokenVideoRules(facts),
    ...brokenCommentRules(options),
  ],
  measure: ({ text, options }) => measured(textOf(text, options)),
  titleOf: ({ text, options }) => textOf(text, options).title,
  credentials: givenCredentials,
  logins: [{ permissions, authorization }],
  connect,
  revoke,
  prepare: async function (job, io, earlier) {
    checkedOptions(videoOptions, job)
    const media = await checkedMedia(this, job, io)
    await media.dispose()
    return { outcome: 'ready', handle: await sessionFor(job, media.facts, uploadOf(earlier), io) }
  },
  publish,
  findByContent,
  unpublish,
  edit,
  firstComment,
  conversation,
  analytics,
  // Of the Google Cloud project, so all of its channels together.
  quota: { posts: 100, since: pacificMidnight, refusal: quotaUsedUp },
}

function sessionFor(
  job: PublishJob,
  facts: MediaFacts,
  earlier: Upload | undefined,
  io: PlatformIo,
): Promise<PublishHandle> {
  return withToken(io, renewalAt(job.account.baseUrl), async (token, credentials) =>
    earlier && (await isOfUse(earlier, facts, token, io)) ? earlier : startSession(job, facts, credentials, token, io),
  )
}

/** Whether an earlier session can be resumed. A complete one must be, as it is this post. */
async function isOfUse(earlier: Upload, { bytes, mimeType }: MediaFacts, token: string, io: RestIo): Promise<boolean> {
  const { step } = await probe(earlier, token, io)
  if (step !== 'incomplete') return step === 'complete'
  return bytes === earlier.bytes && mimeType === earlier.type && isSendable(earlier.startedAt, io.clock.now())
}

async function publish(job: PublishJob, handle: PublishHandle, io: PlatformIo): Promise<Publishing> {
  const upload = uploadOf(handle)
  if (!upload) throw new PlatformError('ambiguous', 'The data prepared for YouTube could not be read.')
  const want = { mediaType: 'video', maxBytes: TAKES.video.maxBytes } as const
  const video = await completed(job, upload, () => io.media.spool(job.mediaUrl, want, io.signal), io)
  return outcomeOf(video, upload, job, io, await finish(video, upload, job, io))
}
