import * as z from 'zod'
import { text } from '../../domain/core/text.ts'
import { firstComment } from '../kit/first-comment.ts'
import { namedOptions } from '../kit/named-options.ts'
import { webUrl } from '../kit/web-url.ts'
import { DESCRIPTION_LIMIT, titleOf, TITLE_LIMIT, type VideoText } from './text.ts'

export const PRIVACY = ['public', 'unlisted', 'private'] as const

export const categoryNumber = z.string().regex(/^\d{1,4}$/, 'must be a number, such as 22')

const TAGS_LIMIT = 500

const hasNoSigns = (value: string): boolean => !/[<>]/.test(value)
const SIGNS = { error: 'must not contain < or >' }
const tag = text(TAGS_LIMIT).refine((value) => value.trim() !== '', { error: 'must not be blank' })

/** What one video has of its own. What is absent is as the caption or the account has it. */
export const videoOptions = namedOptions({
  title: text(2 * TITLE_LIMIT)
    .refine((value) => value.length <= TITLE_LIMIT, { error: `must have at most ${TITLE_LIMIT} characters` })
    .refine((value) => value.trim() !== '', { error: 'must not be blank' })
    .refine(hasNoSigns, SIGNS)
    .optional()
    .describe('Title of the video. Default: the first line of the caption.'),
  description: text(2 * DESCRIPTION_LIMIT)
    .refine((value) => Buffer.byteLength(value, 'utf8') <= DESCRIPTION_LIMIT, {
      error: `must have at most ${DESCRIPTION_LIMIT} bytes`,
    })
    .refine(hasNoSigns, SIGNS)
    .optional()
    .describe('Description of the video, hashtags included. Default: the caption.'),
  tags: z
    .array(tag)
    .refine((tags) => tagCharacters(tags) <= TAGS_LIMIT, {
      error: `must have at most ${TAGS_LIMIT} characters in all: commas between tags count, and 2 more for a tag with a space`,
    })
    .optional()
    .describe('Keywords of the video.'),
  categoryId: categoryNumber.optional().describe('Number of the category.'),
  privacy: z.enum(PRIVACY).optional().describe('Who can see the video.'),
  madeForKids: z.boolean().optional().describe('Whether the video is made for kids.'),
  containsSyntheticMedia: z
    .boolean()
    .optional()
    .describe('Whether the video shows realistic altered or synthetic content.'),
  notifySubscribers: z.boolean().optional().describe('Whether subscribers are notified of the video.'),
  playlistId: z
    .string()
    .regex(/^[\w-]{2,100}$/, 'must be the ID of a playlist, such as PLbpi6ZahtOH6Ar_3GPy3workz9r4j0DyX')
    .optional()
    .describe('ID of a playlist of the channel, to which the video is added.'),
  thumbnailUrl: webUrl.optional().describe('Public URL of the thumbnail. Default: the thumbnailUrl of the video.'),
  firstComment,
})
export type VideoOptions = z.infer<typeof videoOptions>

/** YouTube keeps tags as a list with commas, in which a tag with a space has quotation marks. */
function tagCharacters(tags: readonly string[]): number {
  return tags.map((each) => (each.includes(' ') ? `"${each}"` : each)).join(',').length
}

/** The texts of a video whose post has this caption. */
export function videoText(caption: string, { title, description }: VideoOptions): VideoText {
  return { title: title ?? titleOf(caption), description: description ?? caption }
}

/** The texts of a video that a post makes. */
export function textOf(caption: string, options: Readonly<Record<string, unknown>> | undefined): VideoText {
  return videoText(caption, videoOptions.parse(options ?? {}))
}

/** YouTube has no comments on such videos. */
export function brokenCommentRules({
  firstComment: comment,
  madeForKids,
  privacy,
}: Readonly<Record<string, unknown>> = {}) {
  if (comment === undefined) return []
  return [
    ...(madeForKids === true ? ['YouTube has no comments on videos made for kids: leave out firstComment.'] : []),
    ...(privacy === 'private' ? ['YouTube has no comments on private videos: leave out firstComment.'] : []),
  ]
}
