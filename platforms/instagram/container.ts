import * as z from 'zod'
import type { PostMedia } from '../../domain/post/post-media.ts'
import { newContainer, stateCalled, unknownState, type ContainerState } from '../meta/container.ts'
import { subcodes } from '../meta/errors.ts'
import type { Session } from '../meta/graph.ts'
import { asPlaced } from '../meta/placement.ts'
import type { Contents } from '../meta/prepare.ts'
import { noMedia, someMedia } from '../kit/checked-media.ts'
import type { PublishJob } from '../kit/platform.ts'
import { quoted, type RestIo } from '../kit/rest.ts'
import { api, graph, is } from './api.ts'
import { AGAIN, errors } from './errors.ts'
import { optionsOf, type InstagramOptions } from './options.ts'

/** Maximum number of further containers after a failure without a known reason. */
const TRIES_FOR_NO_REASON = 1

export type State =
  | ContainerState
  /** Instagram says that there is no such container. */
  | { readonly is: 'gone' }
  | { readonly is: 'unreadable' }

const status = z.object({ status_code: z.string(), status: z.string().catch('') })

/** @throws PlatformError */
export function createContainer(job: PublishJob, contents: Contents, session: Session, io: RestIo): Promise<string> {
  const isChild = 'item' in contents && contents.isChild
  const options = optionsOf(job)
  const further = isChild ? { is_carousel_item: 'true' } : ofPost(asPlaced(job), options)
  // Only the first item is tagged.
  const tags = 'item' in contents && contents.item.url === someMedia(job)[0].url ? tagsIn(contents.item, options) : {}
  const form = { ...formOf(contents, options), ...further, ...tags }
  const path = `/${job.account.externalId}/media`
  return newContainer(api, { path, form }, ['unfetchable', 'failed processing'], session, io)
}

function ofPost({ text }: PublishJob, { collaborators, locationId }: InstagramOptions) {
  return {
    ...(text !== '' && { caption: text }),
    ...(collaborators && { collaborators: JSON.stringify(collaborators) }),
    ...(locationId !== undefined && { location_id: locationId }),
  }
}

/** A tag in a reel has no position; one in a story may have one. */
function tagsIn({ type }: PostMedia, { userTags, placement }: InstagramOptions) {
  const tags = type === 'image' || placement === 'story' ? userTags : userTags?.map(({ username }) => ({ username }))
  return tags && { user_tags: JSON.stringify(tags) }
}

/** URLs in ASCII form, as Instagram requires. Every single video is a reel, which by default also appears in the feed. */
function formOf(
  contents: Contents,
  { placement, shareToFeed = true, thumbOffset }: InstagramOptions,
): Readonly<Record<string, string>> {
  if ('text' in contents) throw noMedia()
  if ('children' in contents) return { media_type: 'CAROUSEL', children: contents.children.join(',') }
  const { type, url, altText = '', thumbnailUrl } = contents.item
  const { href } = new URL(url)
  if (placement === 'story') return { media_type: 'STORIES', [`${type}_url`]: href }
  if (type === 'image') return { image_url: href, ...(altText !== '' && { alt_text: altText }) }
  if (contents.isChild) return { media_type: 'VIDEO', video_url: href }
  return {
    ...{ media_type: 'REELS', video_url: href, share_to_feed: String(shareToFeed) },
    ...(thumbnailUrl !== undefined && { cover_url: new URL(thumbnailUrl).href }),
    ...(thumbOffset !== undefined && { thumb_offset: String(thumbOffset) }),
  }
}

/** @throws PlatformError when the account has to wait or to be connected again: another look would not help */
export async function readContainer(id: string, session: Session, io: RestIo): Promise<State> {
  const call = { method: 'GET', path: `/${id}`, query: { fields: 'status_code,status' } } as const
  try {
    const { status_code: word, status: prose } = await graph(session, call, status, io)
    return word === 'ERROR' ? failedFor(prose) : stateCalled(word, api)
  } catch (error) {
    if (is(error, 'gone')) return { is: 'gone' }
    if (is(error, 'unreadable')) return { is: 'unreadable' }
    return unknownState(error)
  }
}

function failedFor(prose: string): State {
  const subcode = /\b2207\d{3}\b/.exec(prose)?.[0]
  const refusal = subcode === undefined ? undefined : errors.named(subcodes(Number(subcode)))
  const says = errors.rows[refusal ?? 'failed processing'].text
  const again = refusal ? (AGAIN[refusal] ?? 0) : TRIES_FOR_NO_REASON
  return { is: 'failed', again, why: prose === '' ? `${says}.` : `${says}: ${quoted(prose)}` }
}
