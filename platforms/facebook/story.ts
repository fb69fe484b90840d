import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { STORY_LIFE_MS } from '../meta/placement.ts'
import type { Published, PublishJob, Search } from '../kit/platform.ts'
import { plainId } from '../kit/plain-id.ts'
import type { RestIo } from '../kit/rest.ts'
import { storyAddress, whole } from './address.ts'
import { graph, is } from './api.ts'
import { isPast, listOf } from './list.ts'

const PUBLISH_TIMEOUT_MS = 30_000
/** Of stories newer than one attempt: more than a Page publishes in a day. */
const MOST_PAGES = 10
const FIELDS = 'post_id,creation_time,media_type,media_id,url'

/** Meta's documentation has numbers in one place, and text in another. */
const id = z.union([plainId, z.int().transform(String)])
const answer = z.object({ success: z.literal(true), post_id: id.optional().catch(undefined) })
const story = z.object({
  post_id: id,
  /** Seconds since the epoch, as text. */
  creation_time: z.coerce.number().optional().catch(undefined),
  media_type: z.string().optional(),
  media_id: id,
  url: z.string().optional(),
})
export type Story = Readonly<z.infer<typeof story>>

/**
 * The visible call: publishes a photo, or an uploaded video, as a story.
 *
 * @throws PlatformError
 */
export async function publishStory(
  job: PublishJob,
  handle: { readonly mediaId: string; readonly createdAt: string },
  session: Session,
  io: RestIo,
): Promise<Published> {
  const { mediaId } = handle
  const [edge, form] =
    job.mediaType === 'image'
      ? ['photo_stories', { photo_id: mediaId }]
      : ['video_stories', { upload_phase: 'finish', video_id: mediaId }]
  const path = `/${job.account.externalId}/${edge}`
  const call = { method: 'POST', path, form, effect: 'visible', timeoutMs: PUBLISH_TIMEOUT_MS } as const
  const listed = async (): Promise<Published | undefined> => {
    const search = await findStory(job, handle, session, io).catch(() => undefined)
    return search?.outcome === 'found' ? search.found : undefined
  }
  try {
    const { post_id: postId = mediaId } = await graph(session, call, answer, io)
    return (await listed()) ?? { postId, url: storyAddress(postId) }
  } catch (error) {
    // A photo or video that is a story already cannot become another.
    const published = is(error, 'refused', 'duplicate') ? await listed() : undefined
    if (!published) throw error
    return published
  }
}

/**
 * Looks for the story that shows a photo or a video.
 *
 * @throws PlatformError
 */
export async function findStory(
  { account }: PublishJob,
  { mediaId, createdAt }: { readonly mediaId: string; readonly createdAt: string },
  session: Session,
  io: RestIo,
): Promise<Search<Published>> {
  const from = Date.parse(createdAt)
  const stories = await storiesSince(account.externalId, from, session, io)
  const found = stories?.find(({ media_id }) => media_id === mediaId)
  if (found) return { outcome: 'found', found: publishedStory(found) }
  return { outcome: stories && isListed(from, io) ? 'absent' : 'unknown' }
}

/**
 * The Page's stories, newest first.
 *
 * @param from ms since the epoch, by our clock
 * @returns undefined when the list could not be read to its end
 * @throws PlatformError
 */
export function storiesSince(
  pageId: string,
  from: number,
  session: Session,
  io: RestIo,
): Promise<readonly Story[] | undefined> {
  const edge = {
    path: `/${pageId}/stories`,
    query: { fields: FIELDS },
    item: story,
    mostPages: MOST_PAGES,
    isPast: (each: Story) => isPast(timeOf(each) ?? Infinity, from),
  }
  return listOf(edge, session, io)
}

/** Whether every story since `from` (ms since the epoch) is still listed: older ones are only if the Page archives them. */
export function isListed(from: number, { clock }: Pick<RestIo, 'clock'>): boolean {
  return clock.now() < from + STORY_LIFE_MS
}

/** Milliseconds since the epoch. */
export function timeOf({ creation_time: seconds }: Story): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000
}

export function publishedStory({ post_id: postId, url }: Story): Published {
  return { postId, url: whole(url) ?? storyAddress(postId) }
}
