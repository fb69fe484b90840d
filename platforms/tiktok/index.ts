import type { Platform } from '../kit/platform.ts'
import { uploadTimeoutMs } from '../kit/rest.ts'
import { authorization, optional, permissions, revoke } from './oauth.ts'
import { LONGEST_CHUNK_BYTES } from './chunks.ts'
import { connect } from './connect.ts'
import { credentialsSchema } from './credentials.ts'
import { findByContent } from './find-by-content.ts'
import { findPhoto } from './find-photo.ts'
import { areAlike } from './listing.ts'
import { removals } from './removals.ts'
import { preparePhoto, publishPhoto } from './photo.ts'
import { prepareVideo } from './prepare-video.ts'
import { publishVideo } from './publish-video.ts'
import { brokenRules, TAKES } from './rules.ts'
import { measure, photoText } from './text.ts'

/** Covers one status check and the last chunk of a video. */
const PUBLISH_TIMEOUT_MS = 30_000 + uploadTimeoutMs(LONGEST_CHUNK_BYTES)
/** The lists' lag is not documented; a minute beyond the call's own timeout is a safe margin. */
const LISTED_WITHIN_MS = 60_000

/** TikTok, Content Posting API v2: direct posts, or uploads to the inbox of the account's owner. */
export const tiktok: Platform = {
  key: 'tiktok',
  proof: { image: 'searchable', video: 'idempotent-key' },
  areAlike,
  visibleWithinMs: LISTED_WITHIN_MS,
  publishTimeoutMs: PUBLISH_TIMEOUT_MS,
  takes: TAKES,
  credentials: credentialsSchema,
  connect,
  revoke,
  removals,
  logins: [{ permissions, optional, authorization }],
  check: brokenRules,
  measure,
  titleOf: ({ text, mediaType }) => (mediaType === 'image' ? photoText(text).title : undefined),
  prepare: (job, io, earlier) => (job.mediaType === 'video' ? prepareVideo : preparePhoto)(job, io, earlier),
  publish: (job, handle, io) => (job.mediaType === 'video' ? publishVideo : publishPhoto)(job, handle, io),
  find: findPhoto,
  findByContent,
}
