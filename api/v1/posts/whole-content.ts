import * as z from 'zod'
import type { DraftContent } from '../../../domain/post/draft.ts'
import { finalText } from '../../../domain/post/caption.ts'
import type { PostContent } from '../../../domain/post/post.ts'
import { check } from '../../http/validation.ts'
import { checkAccountOptions } from './account-options.ts'
import { contentOfChain } from './chain-schemas.ts'
import { postBody, postFields } from './post-schemas.ts'

const { mediaUrl: _url, mediaType: _type, media: _media, ...words } = postFields

/** A text is the same everywhere, as in a chain: it has nothing that is only for a post with media. */
const textBody = z
  .object({
    ...words,
    caption: words.caption.refine((caption) => caption.trim() !== '', { error: 'is required, or media' }),
    captionOverrides: words.captionOverrides.refine((captions) => Object.keys(captions).length === 0, {
      error: 'is only for a post with media: a text is the same on every platform',
    }),
    firstComment: z.undefined({ error: 'is only for a post with media' }).optional(),
  })
  .superRefine(checkAccountOptions)

/**
 * The content of a post, of which anything may be missing so far. Without media, it is text alone.
 *
 * @param whole what the fields are, for errors
 * @throws Refusal invalid_request naming the field
 */
export function wholeContent(fields: DraftContent, whole: string): Omit<PostContent, 'workspaceId'> {
  if (hasMedia(fields)) return check(postBody, fields, whole)
  const { caption, captionOverrides, hashtags, ...of } = check(textBody, fields, whole)
  return contentOfChain({ parts: [{ text: finalText({ caption, captionOverrides, hashtags }, '') }], ...of })
}

function hasMedia({ mediaUrl, mediaType = 'text', media = [] }: DraftContent): boolean {
  return Boolean(mediaUrl) || mediaType !== 'text' || media.length > 0
}
