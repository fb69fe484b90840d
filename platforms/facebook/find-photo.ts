import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { isStory } from '../meta/placement.ts'
import { readsAs } from '../meta/same-text.ts'
import type { Published, PublishJob, Search } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { addressOf, postAddress, storyAddress } from './address.ts'
import type { PhotoHandle } from './handle.ts'
import { isBefore, listOf } from './list.ts'
import { readPhoto, type PhotoState } from './photo.ts'
import { findStory } from './story.ts'
import { plainId } from '../kit/plain-id.ts'

/** Of posts newer than one attempt: more than a Page publishes in days. */
const MOST_PAGES = 10
const FIELDS = 'id,created_time,message,permalink_url,attachments{target{id},media_type,subattachments}'

const target = z.object({ target: z.object({ id: plainId.optional() }).optional() })
const attachment = target.extend({
  media_type: z.string().optional().catch(undefined),
  subattachments: z.object({ data: z.array(target) }).optional(),
})
const attachments = z.object({ data: z.array(attachment) })
const post = z.object({
  id: plainId,
  created_time: z.string(),
  message: z.string().optional(),
  permalink_url: z.string().optional(),
  attachments: attachments.optional(),
})
export type Post = z.infer<typeof post>

/**
 * Looks for the post that shows a photo, through the photo and through the Page's posts, or its stories.
 *
 * @throws PlatformError
 */
export async function findPhoto(
  job: PublishJob,
  handle: PhotoHandle,
  session: Session,
  io: RestIo,
): Promise<{ readonly photo: PhotoState; readonly search: Search<Published> }> {
  const photo = await readPhoto(handle.photoId, session, io)
  if (photo.is === 'posted') {
    const { postId } = photo
    const url = isStory(job) ? storyAddress(postId) : await addressOf(postId, session, io)
    return { photo, search: { outcome: 'found', found: { postId, url } } }
  }
  const { photoId: mediaId, createdAt } = handle
  if (isStory(job)) return { photo, search: await findStory(job, { mediaId, createdAt }, session, io) }
  const posts = await postsSince(job.account.externalId, Date.parse(createdAt), session, io)
  return { photo, search: among(posts, mediaId, job.text) }
}

/**
 * The Page's posts, newest first.
 *
 * @param from ms since the epoch, by our clock
 * @returns undefined when the list could not be read to its end
 * @throws PlatformError
 */
export function postsSince(
  pageId: string,
  from: number,
  session: Session,
  io: RestIo,
): Promise<readonly Post[] | undefined> {
  const edge = {
    path: `/${pageId}/published_posts`,
    query: { fields: FIELDS },
    item: post,
    mostPages: MOST_PAGES,
    isPast: ({ created_time }: Post) => isBefore(created_time, from),
  }
  return listOf(edge, session, io)
}

/** A post with the same text but another attachment proves nothing, and leaves the outcome unknown. */
function among(posts: readonly Post[] | undefined, photoId: string, text: string): Search<Published> {
  if (!posts) return { outcome: 'unknown' }
  const ours = posts.filter((each) => targetsOf(each).includes(photoId))
  const alike = posts.filter(({ message = '' }) => readsAs(message, text))
  const [one, ...more] = ours.length > 0 ? ours : alike
  if (!one) return { outcome: 'absent' }
  if (more.length > 0 || (ours.length === 0 && targetsOf(one).length > 0)) return { outcome: 'unknown' }
  const { id: postId, permalink_url: permalink } = one
  return { outcome: 'found', found: { postId, url: postAddress(postId, permalink) } }
}

function targetsOf({ attachments }: Post): readonly string[] {
  const all = (attachments?.data ?? []).flatMap((each) => [each, ...(each.subattachments?.data ?? [])])
  return all.flatMap(({ target }) => (target?.id === undefined ? [] : [target.id]))
}
