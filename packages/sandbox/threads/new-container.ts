import * as z from 'zod'
import { isOfThisMachine } from '../local-download.ts'
import { invalid } from '../meta/refusal.ts'

const TEXT_LIMIT = 500
const LINK_LIMIT = 5

const mediaUrl = z.url().refine((url) => url.startsWith('https://') || isOfThisMachine(url), 'must be public HTTPS')
const ofPost = {
  reply_to_id: z.string().optional(),
  reply_control: z
    .enum(['everyone', 'accounts_you_follow', 'mentioned_only', 'parent_post_author_only', 'followers_only'])
    .optional(),
  topic_tag: z
    .string()
    .regex(/^[^.&]{1,50}$/)
    .optional(),
}
const more = {
  text: z.string().optional(),
  alt_text: z.string().max(1_000).optional(),
  is_carousel_item: z.enum(['true', 'false']).optional(),
  ...ofPost,
}

export const newContainer = z.discriminatedUnion('media_type', [
  z.strictObject({
    media_type: z.literal('TEXT'),
    text: z.string().refine((text) => text.trim() !== '', 'is blank'),
    ...ofPost,
  }),
  z.strictObject({ media_type: z.literal('CAROUSEL'), children: z.string(), ...more }),
  z.strictObject({ media_type: z.literal('IMAGE'), image_url: mediaUrl, ...more }),
  z.strictObject({ media_type: z.literal('VIDEO'), video_url: mediaUrl, ...more }),
])

/** @throws StandInRefusal */
export function mustBeShort(text: string): void {
  if (lengthOf(text) > TEXT_LIMIT) throw invalid(`text must be at most ${TEXT_LIMIT} characters`)
  const links = new Set(text.match(/https?:\/\/\S+/g))
  if (links.size > LINK_LIMIT) throw invalid('THREADS_API__LINK_LIMIT_EXCEEDED')
}

/** Length in characters; an emoji counts as its bytes. */
function lengthOf(text: string): number {
  const shown = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment)
  return shown.reduce((sum, one) => {
    const isEmoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{20e3}/u.test(one)
    return sum + (isEmoji ? Buffer.byteLength(one) : [...one].length)
  }, 0)
}
