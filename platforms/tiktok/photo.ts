import * as z from 'zod'
import { mediaOf } from '../../domain/post/post-media.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { eachCheckedMedia } from '../kit/checked-media.ts'
import type { PlatformIo, Prepared, Processing, PublishHandle, PublishJob } from '../kit/platform.ts'
import { tiktokApi } from './api.ts'
import { creatorOf, mustOffer, photoInfo } from './creator.ts'
import { isForInbox, settingsFor } from './credentials.ts'
import { photoHandle, unreadable, type PhotoHandle } from './handle.ts'
import { PUBLIC } from './options.ts'
import { lookAgain } from './outcome.ts'
import { brokenRules, TAKES } from './rules.ts'
import { photoText } from './text.ts'
import { plainId } from '../kit/plain-id.ts'

const initAnswer = z.object({ publish_id: plainId })

/** TikTok fetches images itself, so there is nothing to upload before the visible call, only to be put where it may fetch. */
export async function preparePhoto(
  job: PublishJob,
  io: PlatformIo,
  earlier: PublishHandle | undefined,
): Promise<Prepared> {
  const { relay } = io
  const settings = await settingsFor(job, io)
  const rules = { key: 'tiktok', takes: TAKES, check: brokenRules } as const
  const mediaUrls = await eachCheckedMedia(rules, job, io, async (media, { url }) => relay?.(url, media) ?? url)
  const direct = isForInbox(settings) ? undefined : await creatorOf(tiktokApi(job.account, io))
  if (direct) mustOffer(direct, settings)
  const handle: PhotoHandle = {
    // An earlier attempt may still show up.
    startedAt: photoHandle(earlier)?.startedAt ?? isoTime(io.clock.now()),
    username: direct?.creator_username ?? '',
    isPublic: settings.privacyLevel === PUBLIC,
    isForInbox: !direct,
    info: direct ? photoInfo(settings, direct) : {},
    ...(relay && { mediaUrls: [...mediaUrls] }),
  }
  return { outcome: 'ready', handle }
}

/** The one visible call. TikTok keeps processing; the new handle has the id for status checks. */
export async function publishPhoto(
  job: PublishJob,
  given: PublishHandle,
  io: PlatformIo,
): Promise<Processing & { readonly handle: PublishHandle }> {
  const handle = photoHandle(given)
  if (!handle) throw unreadable()
  const json = {
    media_type: 'PHOTO',
    post_mode: handle.isForInbox ? 'MEDIA_UPLOAD' : 'DIRECT_POST',
    post_info: { ...photoText(job.text), ...handle.info },
    source_info: {
      source: 'PULL_FROM_URL',
      photo_cover_index: 0,
      photo_images: handle.mediaUrls ?? mediaOf(job).map(({ url }) => url),
    },
  }
  const call = { path: '/post/publish/content/init/', json, effect: 'visible' } as const
  const { publish_id: publishId } = await tiktokApi(job.account, io)(call, initAnswer)
  const at = isoTime(io.clock.now())
  return { ...lookAgain(at, io.clock.now()), handle: { ...handle, taken: { publishId, at } } }
}
