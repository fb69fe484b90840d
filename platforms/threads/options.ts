import * as z from 'zod'
import { firstComment } from '../kit/first-comment.ts'
import { namedOptions } from '../kit/named-options.ts'

const REPLY_CONTROLS = [
  'everyone',
  'accounts_you_follow',
  'mentioned_only',
  'parent_post_author_only',
  'followers_only',
] as const

/** What one post on Threads has of its own. */
export const threadsOptions = namedOptions({
  topic: z
    .string()
    .regex(/^[^.&]{1,50}$/, 'must have 1 to 50 characters, without . and &')
    .optional()
    .describe('Topic of the post. Default: the first hashtag in the text.'),
  replyControl: z
    .enum(REPLY_CONTROLS, { error: `must be one of ${REPLY_CONTROLS.join(', ')}` })
    .optional()
    .describe('Who can reply. Default: everyone.'),
  firstComment,
})
