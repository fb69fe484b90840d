import * as z from 'zod'
import { shownMedia } from './media-items.ts'
import { editResult, unpublishResult } from '../../../domain/post/follow-up.ts'

const at = unpublishResult.shape.at.describe('UTC. When it got this status.')

const unpublishSchema = unpublishResult
  .extend({
    status: unpublishResult.shape.status.describe(
      'in_progress: the platform is asked to delete the post, again at nextAttemptAt after an error. unpublished: the ' +
        'platform no longer has it. failed: error says why; unpublish it again once that is fixed. unsupported: the ' +
        'API of the platform cannot delete posts; error says where to delete it.',
    ),
    at,
  })
  .meta({ id: 'UnpublishResult' })

const editSchema = editResult
  .extend({
    status: editResult.shape.status.describe(
      'in_progress: the platform is asked to change the post, again at nextAttemptAt after an error. edited: the account ' +
        'has the new text. failed: error says why; edit the post again once that is fixed. unsupported: the API of the ' +
        'platform cannot edit posts, so the account still has the earlier text; error says where to edit it.',
    ),
    at,
  })
  .meta({ id: 'EditResult' })

const PARTS = 'Only of a chain: all parts, in order. postId and url are those of the first.'
const part = z.object({ postId: z.string(), url: z.string().optional() })
const parts = z.array(part)
const firstComment = z.object({ ok: z.boolean(), error: z.string().optional() })

const succeeded = z.object({
  accountId: z.string(),
  ok: z.literal(true),
  postId: z.string().describe('The post’s id on the platform.'),
  url: z.string().optional().describe('Its permalink.'),
  parts: parts.optional().describe(PARTS),
  note: z.string().optional().describe('What somebody still has to do on the platform.'),
  firstComment: firstComment.optional(),
  unpublish: unpublishSchema.optional().describe('Only after unpublishPost. ok stays true.'),
  edit: editSchema.optional().describe('Only after editPost. ok stays true.'),
})
const failed = z.object({
  accountId: z.string().optional(),
  ok: z.literal(false),
  error: z.string(),
  outcome: z.literal('unknown').optional().describe('The post may or may not have been published.'),
  parts: parts
    .optional()
    .describe(
      'Only of a chain: the parts that are published all the same. A retry goes on after them, unless they were unpublished.',
    ),
  unpublish: unpublishSchema.optional().describe('Of these parts, only after unpublishPost.'),
})

/** What became of a post on one account. */
export const resultSchema = z.union([succeeded, failed])

/** What the account has of the post, or of one part. */
const whatWasSent = { text: z.string(), media: shownMedia }

/** As above, with what was published. */
export const wholeResultSchema = z.union([
  succeeded.extend({
    text: z
      .string()
      .optional()
      .describe('The text that was sent to the account, with its override and hashtags. Like media, not in lists.'),
    media: shownMedia.optional(),
    parts: z
      .array(part.extend(z.object(whatWasSent).partial().shape))
      .optional()
      .describe(PARTS),
    firstComment: firstComment
      .extend({ text: z.string().optional().describe('What was sent; omitted for comments of earlier versions.') })
      .optional(),
  }),
  failed,
])
