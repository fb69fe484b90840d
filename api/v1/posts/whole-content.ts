import * as z from 'zod'
import { finalText } from '../../../domain/post/caption.ts'
import type { DraftContent } from '../../../domain/post/draft.ts'
import { shown } from '../../../domain/post/post-media.ts'
import type { PostContent } from '../../../domain/post/post.ts'
import { check } from '../../http/validation.ts'
import { checkAccountOptions } from './account-options.ts'
import { chainFields, contentOfChain, givenParts } from './chain-schemas.ts'
import { postBody, postFields } from './post-schemas.ts'

const { mediaUrl, mediaType, media, ...words } = postFields

const shownBody = z.object({ mediaUrl, mediaType, media })
const chainBody = z
  .object({
    ...words,
    firstComment: z.undefined({ error: 'is not for a text or a chain: make it the last part' }).optional(),
  })
  .superRefine(checkAccountOptions)
const textBody = chainBody.safeExtend({
  caption: words.caption.refine((caption) => caption.trim() !== '', { error: 'is required, or media' }),
})
const partsBody = z.object({ parts: chainFields.parts })

/**
 * The content of a post, of which anything may be missing so far. Without media, it is text alone.
 *
 * @param whole what the fields are, for errors
 * @throws Refusal invalid_request naming the field
 */
export function wholeContent(fields: DraftContent, whole: string): Omit<PostContent, 'workspaceId'> {
  const isShown = hasMedia(fields)
  const chain = fields.chain?.length ? fields.chain : undefined
  if (isShown && !chain) return check(postBody, fields, whole)
  const { caption, captionOverrides, hashtags, ...of } = check(chain ? chainBody : textBody, fields, whole)
  const withTags = (text: string) => finalText({ caption: text, captionOverrides: {}, hashtags }, '')
  const first = {
    ...(isShown ? check(shownBody, fields, whole) : shown([])),
    caption: withTags(caption),
    captionOverrides: Object.fromEntries(
      Object.entries(captionOverrides).map(([platform, text]) => [platform, withTags(text)]),
    ),
  }
  const parts = givenParts({ ...first, chain })
  return contentOfChain({ ...of, ...check(partsBody, { parts }, whole) })
}

function hasMedia({ mediaUrl, mediaType = 'text', media = [] }: DraftContent): boolean {
  return Boolean(mediaUrl) || mediaType !== 'text' || media.length > 0
}
