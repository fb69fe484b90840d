import * as z from 'zod'
import { eachCheckedMedia } from '../kit/checked-media.ts'
import { checkedOptions } from '../kit/checked-options.ts'
import type { MediaFacts, SpooledMedia } from '../../infra/media/media.ts'
import {
  PlatformError,
  type Platform,
  type PlatformIo,
  type Published,
  type PublishHandle,
  type PublishJob,
} from '../kit/platform.ts'
import { analytics } from './analytics.ts'
import { uploadBlob, type Blob } from './blob.ts'
import { conversation } from './conversation.ts'
import { findByContent } from './find.ts'
import { firstComment } from './first-comment.ts'
import { resolveHandle } from './identity.ts'
import { blueskyOptions } from './options.ts'
import { createOnce, referenceTo } from './own-record.ts'
import { postRecord, type Thread } from './record.ts'
import { facetsOf } from './rich-text.ts'
import { connect, givenCredentials, revoke, withSession, type Session } from './session.ts'
import { brokenTextRules, measured } from './text.ts'
import { tidFor } from './tid.ts'
import { unpublish } from './unpublish.ts'
import { blueskyVideoService, transcode, type VideoService } from './video.ts'
import type { XrpcIo } from './xrpc.ts'

/**
 * Size limits (lexicons app.bsky.embed.images and app.bsky.embed.video of August 2026). Servers with older lexicons take
 * 1,000,000 bytes for an image and 100,000,000 for a video, and refuse larger media before anything is written.
 */
const TAKES = {
  image: {
    ...{ maxBytes: 2_000_000, most: 4, altText: 2_000 },
    // The lexicon allows any type; these are what its app shows. This size is taken by older servers, too.
    shape: { types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'], maxBytes: 1_000_000 },
  },
  video: { maxBytes: 300_000_000, altText: 1_000, shape: { types: ['video/mp4'] } },
  text: { chain: true },
} as const

const handleSchema = z.object({
  rkey: z.string(),
  createdAt: z.string(),
  record: z.record(z.string(), z.unknown()),
})

/**
 * Bluesky, on any account server. A post's key and content are fixed before it is written, and the server rejects or
 * ignores a repeated write, so a lost answer never leads to a second post.
 */
export function blueskyPlatform(videoService: VideoService): Platform {
  return {
    key: 'bluesky',
    proof: { image: 'idempotent-key', video: 'idempotent-key', text: 'idempotent-key' },
    visibleWithinMs: 0,
    takes: TAKES,
    check: ({ text }, facts) => [...brokenTextRules(text), ...brokenFormatRules(facts)],
    measure: ({ text }) => measured(text),
    credentials: givenCredentials,
    logins: [],
    connect,
    revoke,
    prepare: async function (job, io) {
      return { outcome: 'ready', handle: await prepared(this, job, videoService, io) }
    },
    publish: async (job, handle, io) => ({ outcome: 'published', published: await publish(job, handle, io) }),
    findByContent,
    unpublish,
    firstComment,
    conversation,
    analytics,
  }
}

export const bluesky = blueskyPlatform(blueskyVideoService)

async function prepared(
  platform: Platform,
  job: PublishJob,
  videoService: VideoService,
  io: PlatformIo,
): Promise<PublishHandle> {
  const options = checkedOptions(blueskyOptions, job)
  const rkey = tidFor(job.key, job.queuedAt)
  return withSession(job.account, io, async (session) => {
    const facets = await facetsOf(job.text, (handle) => resolveHandle(handle, session.host, io))
    const media = await eachCheckedMedia(platform, job, io, async (media, { altText = '' }) => {
      return { facts: media.facts, altText, blob: await upload(media, rkey, job, videoService, session, io) }
    })
    const reply = job.inReplyTo && (await threadOf(job.inReplyTo, session, io))
    return {
      rkey,
      createdAt: job.queuedAt,
      record: postRecord({ text: job.text, facets, media, reply, createdAt: job.queuedAt, ...options }),
    }
  })
}

async function threadOf(
  { first, previous }: NonNullable<PublishJob['inReplyTo']>,
  session: Session,
  io: XrpcIo,
): Promise<Thread> {
  const root = await referenceTo(first.postId, session, io)
  return { root, parent: previous.postId === first.postId ? root : await referenceTo(previous.postId, session, io) }
}

function upload(
  media: SpooledMedia,
  rkey: string,
  { account }: PublishJob,
  videoService: VideoService,
  session: Session,
  io: XrpcIo,
): Promise<Blob> {
  const viaService =
    media.facts.mediaType === 'video' && account.baseUrl === undefined && videoService.serves(session.host)
  return viaService ? transcode(media, `${rkey}.mp4`, videoService, session, io) : uploadBlob(media, session, io)
}

/** The lexicon allows only MP4 video. Size and media type are checked where the media is fetched. */
function brokenFormatRules(facts: MediaFacts | undefined): readonly string[] {
  if (!facts) return []
  const { mediaType, mimeType } = facts
  const types: readonly string[] = TAKES[mediaType === 'image' ? 'image' : 'video'].shape.types
  if (types.includes(mimeType)) return []
  return mediaType === 'image'
    ? [`Bluesky shows images as JPEG, PNG, WebP or GIF; this one is ${mimeType}.`]
    : [`Bluesky accepts videos as video/mp4; this one is ${mimeType}.`]
}

async function publish(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Published> {
  const handle = handleSchema.safeParse(given)
  if (!handle.success) throw new PlatformError('permanent', 'The data prepared for Bluesky could not be read.')
  const { rkey, record } = handle.data
  const own = { did: job.account.externalId, rkey, record }
  const { uri: postId, url } = await withSession(job.account, io, (session) => createOnce(own, session, io))
  return { postId, url }
}
