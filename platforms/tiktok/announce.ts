import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { MediaFacts } from '../../infra/media/media.ts'
import type { PlatformIo, PublishJob } from '../kit/platform.ts'
import type { Api } from './api.ts'
import { planOf } from './chunks.ts'
import { creatorOf, mustAllow, mustOffer, videoInfo } from './creator.ts'
import { isForInbox, type Settings } from './credentials.ts'
import type { VideoHandle } from './handle.ts'
import { PUBLIC } from './options.ts'
import { videoText } from './text.ts'
import { plainId } from '../kit/plain-id.ts'

const initAnswer = z.object({ publish_id: plainId, upload_url: z.url({ protocol: /^https?$/ }) })

/** Initializes a video upload. Nothing is visible, or in the inbox, before its last byte arrives. @throws PlatformError */
export async function announce(
  job: PublishJob,
  facts: MediaFacts,
  settings: Settings,
  api: Api,
  { clock }: Pick<PlatformIo, 'clock'>,
): Promise<VideoHandle> {
  const direct = isForInbox(settings) ? undefined : await directPost(job, facts, settings, api)
  const { bytes, mimeType: type } = facts
  const { chunkBytes, count } = planOf(bytes)
  const json = {
    ...(direct && { post_info: direct.info }),
    source_info: { source: 'FILE_UPLOAD', video_size: bytes, chunk_size: chunkBytes, total_chunk_count: count },
  }
  const path = `/post/publish/${direct ? 'video' : 'inbox/video'}/init/`
  const { publish_id, upload_url } = await api({ path, json }, initAnswer)
  return {
    publishId: publish_id,
    uploadUrl: upload_url,
    bytes,
    type,
    startedAt: isoTime(clock.now()),
    username: direct?.username ?? '',
    isPublic: settings.privacyLevel === PUBLIC,
    isForInbox: !direct,
    handedOver: 0,
  }
}

async function directPost(job: PublishJob, facts: MediaFacts, settings: Settings, api: Api) {
  const creator = await creatorOf(api)
  mustOffer(creator, settings)
  mustAllow(creator, facts)
  return { username: creator.creator_username, info: { ...videoText(job.text), ...videoInfo(settings, creator) } }
}
