import * as z from 'zod'
import { firstComment } from '../kit/first-comment.ts'
import { namedOptions } from '../kit/named-options.ts'

/** What one post on X has of its own. */
export const xOptions = namedOptions({
  replySettings: z
    .enum(['following', 'mentionedUsers', 'subscribers', 'verified'], {
      error: 'must be following, mentionedUsers, subscribers or verified',
    })
    .optional()
    .describe(
      'Who can reply: accounts that the account follows, accounts mentioned in the text, its subscribers, or verified accounts. ' +
        'Default: everyone.',
    ),
  firstComment,
})
