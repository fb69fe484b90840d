import * as z from 'zod'
import { text } from '../../domain/core/text.ts'
import { firstComment } from '../kit/first-comment.ts'
import { namedOptions } from '../kit/named-options.ts'

export const visibilities = z.enum(['public', 'unlisted', 'private', 'direct'], {
  error: 'must be public, unlisted, private or direct',
})
export type Visibility = z.infer<typeof visibilities>

/** What one post on Mastodon has of its own. */
export const mastodonOptions = namedOptions({
  visibility: visibilities
    .optional()
    .describe(
      'Who sees the post: everyone; everyone, but not in public timelines; followers; or only people mentioned in the text. ' +
        'Default: everyone.',
    ),
  contentWarning: text(500)
    .min(1)
    .optional()
    .describe('Text that is shown first; the post itself only on demand. It counts toward the length of the post.'),
  sensitive: z.boolean().optional().describe('Hides the media until somebody asks to see them.'),
  firstComment,
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z]{2,8})?$/, 'must be an ISO 639 code such as en or pt-BR')
    .optional()
    .describe('Language of the text as an ISO 639 code. Default: the one that the account has set on its server.'),
})
