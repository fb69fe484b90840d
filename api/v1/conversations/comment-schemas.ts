import * as z from 'zod'
import { LONGEST_INSTRUCTION } from '../../../domain/account/account.ts'
import { COMMENT_KINDS } from '../../../domain/conversation/comment.ts'
import { CONVERSATION_PLATFORMS, PLATFORM_KEYS, POST_TYPES } from '../../../domain/core/platform.ts'
import { LONGEST_REPLY, REPLY_SOURCES } from '../../../domain/conversation/reply-events.ts'
import { text } from '../../../domain/core/text.ts'
import { INBOX_STATES } from '../../../projections/models/comments.ts'
import { REPLY_STATUSES } from '../../../projections/models/replies.ts'
import { pageQuery } from '../../http/pagination.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const platform = z.enum(CONVERSATION_PLATFORMS, {
  error: `must be one of ${CONVERSATION_PLATFORMS.join(', ')}: comments on other platforms are not supported`,
})
const filled = (maxLength: number) =>
  text(maxLength).refine((value) => value.trim() !== '', { error: 'must not be blank' })
const reference = filled(2000).optional()
const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((value) => value === 'true')
  .pipe(z.boolean())
  .optional()

const commentOf = {
  platform: platform.describe('From GET /comments.'),
  accountId: filled(100).describe('From GET /comments.'),
  commentId: filled(1000).describe('`id` of GET /comments.'),
}

/** Query of GET /comments. */
export const commentsQuery = pageQuery.extend({
  platform: platform.optional().describe('Only comments on this platform.'),
  accountId: text(100).optional().describe('Only comments on this account.'),
  runId: text(100)
    .optional()
    .describe('Only comments under this post, also those that are older: the id of GET /posts.'),
  replied: flag.describe('Only comments with a reply (true), or without one (false).'),
  dismissed: flag.describe('Only comments that were dismissed (true), or were not (false).'),
  assignee: text(100)
    .min(1)
    .optional()
    .describe('Only comments assigned to this user, by its id; me: the one who asks; none: assigned to nobody.'),
  kind: z
    .enum(COMMENT_KINDS, { error: `must be one of ${COMMENT_KINDS.join(', ')}` })
    .optional()
    .describe('Only comments, or only mentions.'),
  state: z
    .enum(INBOX_STATES, { error: `must be one of ${INBOX_STATES.join(', ')}` })
    .optional()
    .describe(
      'to_reply: without a reply or a draft. draft_ready: with a draft that waits for approval, or a reply that failed; also ' +
        'those that are older. done: with a reply, here or on the platform, or dismissed.',
    ),
})

/** Body of POST /comments/reply (api-spec §4). */
export const replyBody = z
  .object({
    ...commentOf,
    text: text(10_000).describe("The comment's text, used for the AI draft."),
    directText: filled(LONGEST_REPLY).optional().describe('Sent immediately, with no AI and no review.'),
    instruction: text(LONGEST_INSTRUCTION).optional().describe('One-off instruction for the AI.'),
    ifReplied: z
      .enum(['send', 'refuse'])
      .default('send')
      .describe('Whether directText is sent to a comment that already has a reply.'),
    postUrn: reference.describe('Required for linkedin.'),
    rootUri: reference.describe('Required for bluesky, with rootCid and commentCid.'),
    rootCid: reference,
    commentCid: reference,
  })
  .meta({
    example: {
      platform: 'instagram',
      accountId: EXAMPLE.account,
      commentId: '17991',
      text: 'When do you open?',
      directText: 'At nine, see you!',
    },
  })

export const ofAccount = filled(100).optional().describe('Only needed if several accounts have the comment.')

/** Body of POST /comments/{commentId}/reply. */
export const answerBody = z
  .object({
    text: filled(LONGEST_REPLY).optional().describe('Sent as it is. Omit it to have the AI write a draft.'),
    review: z.boolean().optional().describe('true: the text is not sent, but waits in the review inbox.'),
    instruction: text(LONGEST_INSTRUCTION).optional().describe('One-off instruction for the AI.'),
    ifReplied: z
      .enum(['send', 'refuse'])
      .default('send')
      .describe('Whether the text is sent to a comment that already has a reply.'),
    accountId: ofAccount,
  })
  .meta({ example: { text: 'At nine, see you!', review: true } })

/** Body of POST /comments/check-now. */
export const checkBody = z
  .object({
    platform: platform.optional().describe('Only accounts on this platform.'),
    accountId: filled(100).optional().describe('Only this account.'),
  })
  .meta({ example: { platform: 'instagram' } })
  .optional()

export const checkedSchema = z
  .object({
    accounts: z.array(
      z.object({
        platform: z.enum(PLATFORM_KEYS),
        accountId: z.string(),
        checkAt: z.iso.datetime().describe('The latest time at which it is checked.'),
      }),
    ),
  })
  .meta({
    id: 'CommentChecks',
    examples: [{ accounts: [{ platform: 'instagram', accountId: EXAMPLE.account, checkAt: EXAMPLE.at }] }],
  })

/** Body of POST /comments/dismiss. */
export const dismissBody = z
  .object(commentOf)
  .meta({ example: { platform: 'instagram', accountId: EXAMPLE.account, commentId: '17991' } })

/** Body of POST /comments/assign. */
export const assignBody = z
  .object({
    ...commentOf,
    assigneeId: filled(100).nullable().describe('`id` of GET /users; null: nobody.'),
  })
  .meta({
    example: { platform: 'instagram', accountId: EXAMPLE.account, commentId: '17991', assigneeId: null },
  })

export const replySchema = z
  .object({
    id: z.string(),
    platform: z.string(),
    accountId: z.string(),
    commentId: z.string(),
    commentText: z.string(),
    commentAuthor: z.string().optional(),
    draft: z.string().describe('Empty until it has been written.'),
    drafting: z.boolean().describe('Whether the AI has yet to write the draft.'),
    status: z.enum(REPLY_STATUSES),
    source: z.enum(REPLY_SOURCES),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    sentAt: z.iso.datetime().optional(),
    platformReplyId: z.string().optional().describe("When sent: the reply's id on the platform."),
    url: z.string().optional(),
    error: z.string().optional().describe('The latest error, or why the reply awaits approval.'),
    supersededBy: z.string().optional().describe('When superseded: the reply that was sent instead.'),
  })
  .meta({
    id: 'Reply',
    examples: [
      {
        id: 'rep_01JWB6A1C4E7G0J3M6P9S2V5Y8',
        platform: 'instagram',
        accountId: EXAMPLE.account,
        commentId: '17991',
        commentText: 'When do you open?',
        commentAuthor: 'ada',
        draft: 'At nine, see you!',
        drafting: false,
        status: 'pending',
        source: 'automation',
        createdAt: EXAMPLE.at,
        updatedAt: EXAMPLE.at,
      },
    ],
  })

export const commentSchema = z
  .object({
    id: z.string().describe("The comment's id on the platform."),
    platform: z.enum(PLATFORM_KEYS),
    accountId: z.string(),
    kind: z.enum(COMMENT_KINDS),
    postId: z.string().optional().describe('The post it belongs to, as in publishResults.'),
    author: z.string(),
    authorId: z.string().optional().describe("The author's id on the platform, if known."),
    text: z.string(),
    createdAt: z.iso.datetime(),
    replied: z
      .boolean()
      .describe('Also true if the reply was made on the platform itself, if the platform reports it.'),
    dismissed: z.boolean(),
    assignee: z.object({ id: z.string(), name: z.string() }).optional().describe('The user who is to see to it.'),
    postUrn: z.string().optional(),
    rootUri: z.string().optional(),
    rootCid: z.string().optional(),
    commentCid: z.string().optional(),
    reply: replySchema
      .optional()
      .describe('The newest reply to it from here that was neither rejected nor superseded, such as a draft.'),
    post: z
      .object({ id: z.string(), caption: z.string(), mediaUrl: z.string(), mediaType: z.enum(POST_TYPES) })
      .optional()
      .describe('The post that it is under, if it was published from here.'),
  })
  .meta({
    id: 'Comment',
    examples: [
      {
        id: '17991',
        platform: 'instagram',
        accountId: EXAMPLE.account,
        kind: 'comment',
        postId: '17890',
        author: 'ada',
        text: 'When do you open?',
        createdAt: EXAMPLE.at,
        replied: false,
        dismissed: false,
      },
    ],
  })

const INBOX = ['pending', 'sending', 'failed'] as const

/** Query of GET /replies/pending. */
export const repliesQuery = pageQuery.extend({
  status: z
    .enum(REPLY_STATUSES, { error: `must be one of ${REPLY_STATUSES.join(', ')}` })
    .optional()
    .transform((status) => (status === undefined ? INBOX : [status]))
    .describe(`Only replies with this status. Default: ${INBOX.join(', ')}.`),
})

/** Body of POST /replies/pending/{id}/approve. */
export const approveBody = z
  .object({ editedText: filled(LONGEST_REPLY).optional().describe('Sent instead of the draft.') })
  .meta({ example: { editedText: 'At nine. See you tomorrow!' } })
  .optional()

/** Body of POST /replies/pending/{id}/regenerate. */
export const regenerateBody = z
  .object({
    context: filled(LONGEST_INSTRUCTION).describe('What the AI should change.'),
  })
  .meta({ example: { context: 'Shorter, and name the hours.' } })

/** Body of PATCH /replies/pending/{id}. */
export const editBody = z
  .object({ text: filled(LONGEST_REPLY).describe('The new draft. It is not sent.') })
  .meta({ example: { text: 'At nine. See you tomorrow!' } })
