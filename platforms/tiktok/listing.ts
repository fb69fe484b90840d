import * as z from 'zod'
import type { PostType } from '../../domain/core/platform.ts'
import { ownAddress } from '../kit/own-address.ts'
import { plainId } from '../kit/plain-id.ts'
import type { PublishJob } from '../kit/platform.ts'
import type { Api } from './api.ts'
import { photoText, sameText } from './text.ts'

/** How far (ms) our clock and TikTok's may differ. */
export const CLOCKS_APART_MS = 60_000
const FIELDS = 'id,create_time,title,video_description,share_url'
const PAGE_SIZE = 20
const MOST_PAGES = 5

const text = z.string().nullish().catch(undefined)
const listAnswer = z.object({
  videos: z.array(
    z.object({
      id: plainId,
      /** Seconds since the epoch. */
      create_time: z.number(),
      title: text,
      video_description: text,
      share_url: text,
    }),
  ),
  cursor: z.number().optional().catch(undefined),
  has_more: z.boolean(),
})
export type Listed = z.infer<typeof listAnswer>['videos'][number]

/**
 * The account's public posts since then, newest first.
 *
 * @param since milliseconds since the epoch
 * @returns undefined if there are too many to read them all
 * @throws PlatformError
 */
export async function postsSince(since: number, api: Api): Promise<readonly Listed[] | undefined> {
  const posts: Listed[] = []
  let cursor: number | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const json = { max_count: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }
    const answer = await api({ path: `/video/list/?fields=${FIELDS}`, json }, listAnswer)
    const recent = answer.videos.filter(({ create_time }) => (create_time + 1) * 1_000 > since)
    posts.push(...recent)
    if (!answer.has_more || recent.length < answer.videos.length) return posts
    if (answer.cursor === undefined) return undefined
    cursor = answer.cursor
  }
  return undefined
}

const KINDS: Readonly<Partial<Record<PostType, string>>> = { image: 'photo', video: 'video' }
const PATH = /^\/@[\w.%-]+\/(photo|video)\/[\w.~-]+$/

/** Whether a listed post may be this one. For photos it is not documented which of the two texts is listed. */
export function isAlike(post: Listed, { text, mediaType }: Pick<PublishJob, 'text' | 'mediaType'>): boolean {
  const kind = PATH.exec(pathOf(post))?.[1]
  if (kind !== undefined && kind !== KINDS[mediaType]) return false
  const { title } = post
  const ours = photoText(text)
  if (ours.title === undefined) return textsOf(post).every((each) => sameText(each, text))
  const mayBeTitle = mediaType === 'image' && title != null && sameText(title, ours.title)
  return mayBeTitle || isListedWith(post, text)
}

/** Whether a post is listed with the complete text. */
export function isListedWith(post: Listed, text: string): boolean {
  return textsOf(post).some((each) => sameText(each, text))
}

function textsOf({ title, video_description: description }: Listed): readonly string[] {
  return [title ?? '', description ?? '']
}

/** A post may be listed with its complete text, a photo also with its title alone. */
export function areAlike(text: string, other: string): boolean {
  const formsOf = (each: string) => [each, photoText(each).title ?? each]
  return formsOf(text).some((one) => formsOf(other).some((another) => sameText(one, another)))
}

/** The post's URL without tracking parameters. */
export function addressOf({ share_url }: Listed): { readonly url?: string } {
  const address = ownAddress(share_url ?? undefined, ['tiktok.com'])
  if (address === undefined) return {}
  const { origin, pathname } = new URL(address)
  return { url: origin + pathname }
}

function pathOf(post: Listed): string {
  const { url } = addressOf(post)
  return url === undefined ? '' : new URL(url).pathname
}
