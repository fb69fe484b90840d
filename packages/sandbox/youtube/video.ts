import { createHash } from 'node:crypto'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { scriptIn } from './script.ts'
import type { Progress, Session } from './session.ts'

const detailsSchema = z.object({
  title: z.string(),
  categoryId: z.string(),
  privacyStatus: z.string(),
  madeForKids: z.boolean(),
  containsSyntheticMedia: z.boolean().optional(),
  notifySubscribers: z.boolean(),
})

/** Publishes a video. Its session's id is the post's token: two posts of one session are a double post. */
export function addVideo(
  account: LedgerAccount,
  { id: token, bytes, type, notifySubscribers, metadata }: Session,
  { hash }: Progress,
  { ledger, clock, ids, baseUrl }: StandInDeps,
): LedgerPost {
  const id = createHash('sha256').update(ids.token()).digest('base64url').slice(0, 11)
  const accountId = account.externalId
  const { snippet, status } = metadata
  const details: z.infer<typeof detailsSchema> = {
    title: snippet.title,
    categoryId: snippet.categoryId,
    privacyStatus: scriptIn(snippet.description).privacy ?? status.privacyStatus,
    madeForKids: status.selfDeclaredMadeForKids,
    ...(status.containsSyntheticMedia !== undefined && { containsSyntheticMedia: status.containsSyntheticMedia }),
    notifySubscribers,
  }
  const video: LedgerPost = {
    id,
    platform: 'youtube',
    accountId,
    token,
    caption: snippet.description,
    mediaUrl: `${baseUrl()}/media/${id}`,
    mediaType: 'video',
    createdAt: isoTime(clock.now()),
    details,
  }
  const sha256 = hash.digest('hex')
  ledger.addMedia({ id, platform: 'youtube', accountId, mediaType: 'video', mimeType: type, bytes, sha256 })
  ledger.addPost(video)
  return video
}

/** The response to the last byte of an upload. */
export function videoResource(video: LedgerPost): object {
  const { title, categoryId, privacyStatus, madeForKids, containsSyntheticMedia } = detailsSchema.parse(video.details)
  return {
    kind: 'youtube#video',
    id: video.id,
    snippet: {
      publishedAt: video.createdAt,
      channelId: video.accountId,
      title,
      description: video.caption,
      categoryId,
    },
    status: {
      uploadStatus: 'uploaded',
      privacyStatus,
      license: 'youtube',
      selfDeclaredMadeForKids: madeForKids,
      ...(containsSyntheticMedia !== undefined && { containsSyntheticMedia }),
    },
  }
}

export function titleOf(video: LedgerPost): string {
  return detailsSchema.parse(video.details).title
}

export function privacyOf(video: LedgerPost): string {
  return detailsSchema.parse(video.details).privacyStatus
}

/** A video's processing state after this many looks. */
export function processingOf(video: LedgerPost, look: number): object {
  const { processing, failed, rejected } = scriptIn(video.caption)
  const privacyStatus = privacyOf(video)
  const state = (uploadStatus: string, processingStatus: string, reason: object = {}): object => ({
    status: { uploadStatus, privacyStatus, ...reason },
    processingDetails: { processingStatus },
  })
  if (look <= processing) return state('uploaded', 'processing')
  if (failed !== undefined) return state('failed', 'failed', { failureReason: failed })
  if (rejected !== undefined) return state('rejected', 'terminated', { rejectionReason: rejected })
  return state('processed', 'succeeded')
}
