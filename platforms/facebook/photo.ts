import * as z from 'zod'
import type { PostMedia } from '../../domain/post/post-media.ts'
import type { Session } from '../meta/graph.ts'
import type { Published, PublishJob } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { graph, is } from './api.ts'
import { addressOf } from './address.ts'
import { optionsOf } from './options.ts'
import { plainId } from '../kit/plain-id.ts'

/** Facebook fetches the image during the call. */
const UPLOAD_TIMEOUT_MS = 60_000
const PUBLISH_TIMEOUT_MS = 35_000

const answer = z.object({ id: plainId })
const story = z.object({ page_story_id: plainId.optional() })

export type PhotoState =
  | { readonly is: 'posted'; readonly postId: string }
  | { readonly is: 'not posted' }
  /** Says nothing about whether it exists. */
  | { readonly is: 'unreadable' }

/**
 * Has Facebook fetch the image. It is not visible yet.
 *
 * @returns the photo's id
 * @throws PlatformError
 */
export async function uploadPhoto(
  { account }: PublishJob,
  { url, altText = '' }: PostMedia,
  session: Session,
  io: RestIo,
): Promise<string> {
  const alt = altText === '' ? {} : { alt_text_custom: altText }
  const form = { url: new URL(url).href, published: 'false', ...alt }
  const path = `/${account.externalId}/photos`
  const call = { method: 'POST', path, form, timeoutMs: UPLOAD_TIMEOUT_MS } as const
  const upload = async (): Promise<string> => (await graph(session, call, answer, io)).id
  try {
    return await upload()
  } catch (error) {
    // The network may have been at fault: worth one more try.
    if (is(error, 'unfetchable')) return upload()
    throw error
  }
}

/** @throws PlatformError when there is no meaningful response */
export async function readPhoto(photoId: string, session: Session, io: RestIo): Promise<PhotoState> {
  const call = { method: 'GET', path: `/${photoId}`, query: { fields: 'id,page_story_id' } } as const
  try {
    const { page_story_id: postId } = await graph(session, call, story, io)
    return postId === undefined ? { is: 'not posted' } : { is: 'posted', postId }
  } catch (error) {
    if (is(error, 'unreadable', 'refused')) return { is: 'unreadable' }
    throw error
  }
}

/**
 * The visible call: creates a post of the Page that shows the photos or the link, if any.
 *
 * @throws PlatformError
 */
export async function createPost(
  job: PublishJob,
  photoIds: readonly string[],
  session: Session,
  io: RestIo,
): Promise<Published> {
  const { account, text } = job
  const { link } = optionsOf(job)
  const attached = photoIds.map((media_fbid) => ({ media_fbid }))
  const form = {
    ...(attached.length > 0 && { attached_media: JSON.stringify(attached) }),
    ...(text !== '' && { message: text }),
    ...(link !== undefined && { link }),
  }
  const call = {
    method: 'POST',
    path: `/${account.externalId}/feed`,
    form,
    effect: 'visible',
    timeoutMs: PUBLISH_TIMEOUT_MS,
  } as const
  const { id: postId } = await graph(session, call, answer, io)
  return { postId, url: await addressOf(postId, session, io) }
}
