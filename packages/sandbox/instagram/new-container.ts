import * as z from 'zod'
import { graphRefusal, type Wrong } from '../meta/refusal.ts'
import type { Held } from '../meta/containers.ts'
import type { StandInRefusal } from '../stand-in-refusal.ts'

const url = z.url({ protocol: /^https?$/ }).regex(/^[\x21-\x7e]+$/, 'only plain ASCII')
const caption = z.string().optional()
const altText = z.string().max(1_000).optional()
/** A parameter that is JSON. */
const json = <T extends z.ZodType>(schema: T) =>
  z.string().refine((given) => {
    try {
      return schema.safeParse(JSON.parse(given)).success
    } catch {
      return false
    }
  })
const username = z.string().regex(/^[\w.]{1,30}$/)
const place = z.number().min(0).max(1)
const ofPost = {
  caption,
  collaborators: json(z.array(username).max(3)).optional(),
  location_id: z.string().regex(/^\d+$/).optional(),
}
const tagsInImage = json(z.array(z.strictObject({ username, x: place, y: place }))).optional()
const tagsInReel = json(z.array(z.strictObject({ username }))).optional()
const tagsInStory = json(z.array(z.strictObject({ username, x: place.optional(), y: place.optional() }))).optional()
const ofStory = { media_type: z.literal('STORIES'), user_tags: tagsInStory }
const isItem = z.literal('true').optional()
const schema = z.union([
  z.strictObject({ ...ofPost, media_type: z.literal('CAROUSEL'), children: z.string() }),
  z.strictObject({ media_type: z.literal('VIDEO'), video_url: url, is_carousel_item: z.literal('true') }),
  z.strictObject({ ...ofPost, image_url: url, alt_text: altText, user_tags: tagsInImage }),
  z.strictObject({
    image_url: url,
    alt_text: altText,
    user_tags: tagsInImage,
    caption,
    is_carousel_item: isItem,
  }),
  z.strictObject({
    ...ofPost,
    media_type: z.literal('REELS'),
    user_tags: tagsInReel,
    video_url: url,
    share_to_feed: z.enum(['true', 'false']).optional(),
    thumb_offset: z.string().regex(/^\d+$/).optional(),
    cover_url: url.optional(),
  }),
  z.strictObject({ ...ofStory, image_url: url }),
  z.strictObject({ ...ofStory, video_url: url }),
])

const ITEMS = { least: 2, most: 10 }

/**
 * Validates what a new container should hold.
 *
 * @throws StandInRefusal
 */
export function newContainer(given: object, carousel: (children: string, text: string) => Held | undefined): Held {
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw graphRefusal(wrongWith(given, parsed.error))
  const { caption: text = '', ...media } = { caption: undefined, ...parsed.data }
  if ([...text].length > 2_200) {
    throw graphRefusal({ code: 36004, subcode: 2207010, message: 'The caption was too long' })
  }
  if ((text.match(/(?<!\w)@\w+/g)?.length ?? 0) > 20) {
    throw graphRefusal({ code: 100, subcode: 2207040, message: 'Cannot use more than 20 tags' })
  }
  if ('children' in media) {
    const { length } = media.children.split(',')
    if (length < ITEMS.least || length > ITEMS.most) {
      throw graphRefusal({ code: 100, message: '(#100) A carousel has 2 to 10 children' })
    }
    const held = carousel(media.children, text)
    if (!held) throw graphRefusal({ code: 9007, subcode: 2207027, message: 'The media is not ready for publishing' })
    return { ...held, details: { ...held.details, ...detailsOf(media) } }
  }
  const details = detailsOf(media)
  const item = 'is_carousel_item' in media && media.is_carousel_item ? { isItem: true } : {}
  if (!('image_url' in media)) return { mediaType: 'video', mediaUrl: media.video_url, text, details, ...item }
  const alt = 'alt_text' in media && media.alt_text !== undefined ? { altText: media.alt_text } : {}
  return { mediaType: 'image', mediaUrl: media.image_url, text, details, ...alt, ...item }
}

const DETAILS = [
  ...['media_type', 'collaborators', 'location_id', 'user_tags'],
  ...['share_to_feed', 'cover_url', 'thumb_offset'],
]

/** @param details of a container, or of the media made of it */
export function isStory(details: Readonly<Record<string, unknown>> | undefined): boolean {
  return details?.['media_type'] === 'STORIES'
}

function detailsOf(media: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(media).flatMap(([name, value]) =>
      value !== undefined && DETAILS.includes(name) ? [[name, value] as const] : [],
    ),
  )
}

function wrongWith(given: object, error: z.ZodError): Wrong {
  const isVideo = z.object({ media_type: z.literal('VIDEO') }).safeParse(given).success
  return isVideo
    ? { code: 100, subcode: 2207023, message: 'The media type VIDEO is unknown: use REELS' }
    : { code: 100, message: `(#100) Invalid parameter: ${z.prettifyError(error)}` }
}

const CODES: Readonly<Record<string, number>> = {
  2207003: -2,
  2207004: 36000,
  2207005: 36001,
  2207009: 36003,
  2207026: 352,
  2207052: 9004,
}

/** The refusal for media that are found invalid at once with this subcode. */
export function refusedWith(subcode: string): StandInRefusal {
  return graphRefusal({
    code: CODES[subcode] ?? -1,
    subcode: Number(subcode),
    message: 'The media could not be used',
  })
}
