import * as z from 'zod'
import { MEDIA_TYPES, type MediaType } from '../core/platform.ts'
import { text } from '../core/text.ts'

/** One image or video of a post. */
export const postMedia = z.object({
  url: text(2000),
  type: z.enum(MEDIA_TYPES),
  /** Read out to those who do not see it. */
  altText: text(5000).optional(),
  /** The image shown before the video is played. */
  thumbnailUrl: text(2000).optional(),
})
export type PostMedia = Readonly<z.infer<typeof postMedia>>

/** Everything that a post shows, in its order. @param post `media` is absent from posts of one item that only has a URL */
export function mediaOf({
  mediaUrl,
  mediaType,
  media,
}: {
  readonly mediaUrl: string
  readonly mediaType: MediaType
  readonly media?: readonly PostMedia[] | null | undefined
}): readonly [PostMedia, ...PostMedia[]] {
  const [first = { url: mediaUrl, type: mediaType }, ...more] = media ?? []
  return [first, ...more]
}

/** The URLs of everything that a post shows, thumbnails included. @param post may lack any of the fields */
export function mediaUrls({
  mediaUrl,
  media,
}: {
  readonly mediaUrl?: string | undefined
  readonly media?: readonly PostMedia[] | undefined
}): readonly string[] {
  const items = (media ?? []).flatMap(({ url, thumbnailUrl = url }) => [url, thumbnailUrl])
  return [...new Set(mediaUrl === undefined ? items : [mediaUrl, ...items])]
}
