import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { readsAs } from '../meta/same-text.ts'
import { graphTime } from '../meta/time.ts'
import type { PublishJob } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { graph } from './api.ts'
import { isBefore, listOf } from './list.ts'
import { stateOf, VIDEO_FIELDS, videoSchema, type VideoState } from './video-state.ts'
import { plainId } from '../kit/plain-id.ts'

const PUBLISH_TIMEOUT_MS = 30_000
/** Of videos newer than one attempt. */
const MOST_PAGES = 10

const answer = z.object({ id: plainId })
const listed = videoSchema.extend({
  status: videoSchema.shape.status.optional(),
  created_time: z.string(),
  description: z.string().optional(),
})
type Listed = z.infer<typeof listed>

export interface Candidate {
  readonly id: string
  /** Milliseconds since the epoch: when its upload began. */
  readonly createdAt: number
  readonly state: VideoState
}

/**
 * The visible call for a plain video, which Facebook fetches and processes afterwards.
 *
 * @returns the video's id
 * @throws PlatformError
 */
export async function postVideo(
  { account, mediaUrl, text }: PublishJob,
  session: Session,
  io: RestIo,
): Promise<string> {
  const form = {
    file_url: new URL(mediaUrl).href,
    published: 'true',
    ...(text !== '' && { description: text }),
  }
  const path = `/${account.externalId}/videos`
  const call = { method: 'POST', path, form, effect: 'visible', timeoutMs: PUBLISH_TIMEOUT_MS } as const
  return (await graph(session, call, answer, io)).id
}

/**
 * The Page's videos or reels that may be this post: same text, and not older than `from` (ms since the epoch, our clock).
 *
 * @returns undefined when the list could not be read to its end
 * @throws PlatformError
 */
export async function candidates(
  { account, text }: PublishJob,
  from: number,
  session: Session,
  io: RestIo,
  list: 'videos' | 'video_reels' = 'videos',
): Promise<readonly Candidate[] | undefined> {
  const edge = {
    path: `/${account.externalId}/${list}`,
    query: { ...(list === 'videos' && { type: 'uploaded' }), fields: `${VIDEO_FIELDS},created_time,description` },
    item: listed,
    mostPages: MOST_PAGES,
    isPast: ({ created_time }: Listed) => isBefore(created_time, from),
  }
  return (await listOf(edge, session, io))
    ?.filter(({ description = '' }) => readsAs(description, text))
    .map(({ status, ...video }) => ({
      id: video.id,
      createdAt: graphTime(video.created_time),
      state: status ? stateOf({ ...video, status }, account.externalId) : { is: 'unreadable' },
    }))
}
