import { createHash } from 'node:crypto'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Ids } from '../../../infra/runtime/ids.ts'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Update } from './metadata.ts'
import type { Resource } from './parts.ts'
import { scriptIn } from './script.ts'
import type { Progress, Session } from './session.ts'

const detailsSchema = z.object({
  title: z.string(),
  categoryId: z.string(),
  privacyStatus: z.string(),
  madeForKids: z.boolean(),
  containsSyntheticMedia: z.boolean().optional(),
  notifySubscribers: z.boolean(),
  tags: z.array(z.string()).optional(),
  defaultLanguage: z.string().optional(),
  embeddable: z.boolean().default(true),
  license: z.string().default('youtube'),
  publicStatsViewable: z.boolean().default(true),
})

/** All of a video's parts that Google knows. */
export const VIDEO_PARTS = [
  ...(['contentDetails', 'fileDetails', 'id', 'liveStreamingDetails', 'localizations', 'player'] as const),
  ...(['processingDetails', 'recordingDetails', 'snippet', 'statistics', 'status', 'suggestions'] as const),
  'topicDetails',
] as const

export function newVideoId(ids: Ids): string {
  return createHash('sha256').update(ids.token()).digest('base64url').slice(0, 11)
}

/** What is stored of a public video besides its description. */
export function detailsOfPast(description: string): z.infer<typeof detailsSchema> {
  const title = (description.split('\n', 1)[0] ?? '').slice(0, 100)
  const choices = { categoryId: '22', privacyStatus: 'public', madeForKids: false, notifySubscribers: true }
  return detailsSchema.parse({ title, ...choices })
}

/** Publishes a video. The id of its upload is the post's token: two posts of one upload are a double post. */
export function addVideo(
  account: LedgerAccount,
  { id: token, type, notifySubscribers, metadata }: Pick<Session, 'id' | 'type' | 'notifySubscribers' | 'metadata'>,
  { next: bytes, hash }: Progress,
  { ledger, clock, ids, baseUrl }: StandInDeps,
): LedgerPost {
  const id = newVideoId(ids)
  const accountId = account.externalId
  const { description, ...snippet } = metadata.snippet
  const { selfDeclaredMadeForKids: madeForKids, ...status } = metadata.status
  const privacy = ledger.isReviewed('youtube') ? status.privacyStatus : 'private'
  const privacyStatus = scriptIn(description).privacy ?? privacy
  const details = detailsSchema.parse({ ...snippet, ...status, privacyStatus, madeForKids, notifySubscribers })
  const video: LedgerPost = {
    id,
    platform: 'youtube',
    accountId,
    token,
    caption: description,
    mediaUrl: `${baseUrl()}/media/${id}`,
    mediaType: 'video',
    createdAt: isoTime(clock.now()),
    ...(privacyStatus === 'private' && { isHidden: true }),
    details,
  }
  const sha256 = hash.digest()
  ledger.addMedia({ id, platform: 'youtube', accountId, mediaType: 'video', mimeType: type, bytes, sha256 })
  ledger.addPost(video)
  return video
}

/** A video after `videos.update`. */
export function withSnippet(video: LedgerPost, { description, ...snippet }: Update['snippet']): LedgerPost {
  const { tags: _, defaultLanguage: __, ...kept } = detailsSchema.parse(video.details)
  return { ...video, caption: description, details: { ...kept, ...snippet } }
}

/** A video after this many looks at its processing. */
export function videoResource(video: LedgerPost, look = 0): Resource {
  const details = detailsSchema.parse(video.details)
  const { title, categoryId, tags, defaultLanguage, madeForKids, containsSyntheticMedia } = details
  const { privacyStatus, embeddable, license, publicStatsViewable } = details
  const { uploadStatus, processingStatus, ...reason } = processingOf(video, look)
  return {
    kind: 'youtube#video',
    id: video.id,
    snippet: {
      publishedAt: video.createdAt,
      channelId: video.accountId,
      title,
      description: video.caption,
      categoryId,
      liveBroadcastContent: 'none',
      ...(tags && { tags }),
      ...(defaultLanguage !== undefined && { defaultLanguage }),
    },
    status: {
      uploadStatus,
      ...reason,
      privacyStatus,
      license,
      embeddable,
      publicStatsViewable,
      madeForKids,
      selfDeclaredMadeForKids: madeForKids,
      ...(containsSyntheticMedia !== undefined && { containsSyntheticMedia }),
    },
    processingDetails: { processingStatus },
  }
}

interface Processing {
  readonly uploadStatus: string
  readonly processingStatus: string
  readonly failureReason?: string
  readonly rejectionReason?: string
}

function processingOf({ caption }: LedgerPost, look: number): Processing {
  const { processing, failed, rejected } = scriptIn(caption)
  if (look <= processing) return { uploadStatus: 'uploaded', processingStatus: 'processing' }
  if (failed !== undefined) return { uploadStatus: 'failed', processingStatus: 'failed', failureReason: failed }
  if (rejected !== undefined) {
    return { uploadStatus: 'rejected', processingStatus: 'terminated', rejectionReason: rejected }
  }
  return { uploadStatus: 'processed', processingStatus: 'succeeded' }
}

export function titleOf(video: LedgerPost): string {
  return detailsSchema.parse(video.details).title
}

export function privacyOf(video: LedgerPost): string {
  return detailsSchema.parse(video.details).privacyStatus
}

/** Whether it can be commented on. */
export function hasComments(video: LedgerPost): boolean {
  const { privacyStatus, madeForKids } = detailsSchema.parse(video.details)
  return privacyStatus !== 'private' && !madeForKids
}
