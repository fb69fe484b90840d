import * as z from 'zod'
import { MEDIA_TYPES, type PostType } from '../core/platform.ts'
import { text } from '../core/text.ts'

/** One image or video of a post, or its document. */
export const postMedia = z.object({
  url: text(2000),
  type: z.enum(MEDIA_TYPES),
  /** Read out to those who do not see it. */
  altText: text(5000).optional(),
  /** The image shown before the video is played. */
  thumbnailUrl: text(2000).optional(),
})
export type PostMedia = Readonly<z.infer<typeof postMedia>>

/** What a post shows: its media, and the kind of the first item. */
export interface Shown {
  /** Of the first item; empty if there is none. */
  readonly mediaUrl: string
  readonly mediaType: PostType
  /** All items, the first of which is the one above. Absent: just that one. */
  readonly media?: readonly PostMedia[] | null | undefined
}

/** All media that a post shows, in order. */
export function mediaOf({ mediaUrl, mediaType, media }: Shown): readonly PostMedia[] {
  if (media && media.length > 0) return media
  return mediaType === 'text' ? [] : [{ url: mediaUrl, type: mediaType }]
}

/** The reverse of `mediaOf`. */
export function shown(
  media: readonly PostMedia[],
): Pick<Shown, 'mediaUrl' | 'mediaType'> & { readonly media?: PostMedia[] } {
  const [first] = media
  return first ? { mediaUrl: first.url, mediaType: first.type, media: [...media] } : { mediaUrl: '', mediaType: 'text' }
}

/** The options of platforms that name the cover of a video, instead of its own thumbnail. */
export const COVER_OPTIONS = ['coverUrl', 'thumbnailUrl'] as const

/** The covers that options name. */
function coversIn(options: Options = {}): readonly string[] {
  return COVER_OPTIONS.flatMap((name) => {
    const { [name]: url } = options
    return typeof url === 'string' ? [url] : []
  })
}

type Options = Readonly<Record<string, unknown>> | undefined
type OptionsBy = Readonly<Record<string, Options>>

/** What of a post says what it shows; any of it may be missing. */
export interface Showing {
  readonly mediaUrl?: string | undefined
  readonly media?: readonly PostMedia[] | undefined
  readonly chain?: readonly { readonly media?: readonly PostMedia[] | undefined }[] | undefined
  readonly platformOptions?: OptionsBy | undefined
  readonly accountOptions?: OptionsBy | undefined
}

/** The items that a post and the parts of its chain list, in order. */
export function itemsOf({ media = [], chain = [] }: Showing): readonly PostMedia[] {
  return [media, ...chain.map((part) => part.media ?? [])].flat()
}

/** The URLs of everything that a post and the parts of its chain show, thumbnails included. */
export function mediaUrls(post: Showing): readonly string[] {
  const { mediaUrl = '', platformOptions = {}, accountOptions = {} } = post
  const items = itemsOf(post)
  const own = [platformOptions, accountOptions].flatMap(Object.values<Options>).flatMap(coversIn)
  const urls = [...items.flatMap(({ url, thumbnailUrl = url }) => [url, thumbnailUrl]), ...own]
  return [...new Set(mediaUrl === '' ? urls : [mediaUrl, ...urls])]
}
