import * as z from 'zod'
import { APPROVAL_STATUSES } from '../../../domain/post/approval.ts'
import { LONGEST_REMARK } from '../../../domain/post/post-events.ts'
import { text } from '../../../domain/core/text.ts'
import { pageQuery } from '../../http/pagination.ts'
import { labelledActor, labelledReviewer } from '../../kit/names.ts'
import { author } from '../posts/post-filters.ts'
import { scheduledFor, scheduledPostSchema } from '../posts/post-schemas.ts'

const OPEN = ['awaiting_approval', 'changes_requested', 'held'] as const

const VALID_DAYS = 7
const MOST_DAYS = 30
const DAYS = { error: `must be 1 to ${MOST_DAYS}` }

const status = z.enum(APPROVAL_STATUSES, { error: `must be one of ${APPROVAL_STATUSES.join(', ')}` })

/** Query of GET /approvals. */
export const approvalsQuery = pageQuery.extend({
  status: status
    .optional()
    .transform((one) => (one === undefined ? OPEN : [one]))
    .describe(`Only those with this status. Default: ${OPEN.join(', ')}.`),
  author: author.describe('Only of posts that this user or API key wrote, by its id; me: the one who asks.'),
})

const remark = text(LONGEST_REMARK).trim().min(1, { error: 'must not be blank' })
const comment = remark.optional().describe('For the author. Shown with the decision.')

export const approveBody = z
  .object({
    version: z
      .int()
      .positive()
      .describe('The version that you looked at. Refused with failed_precondition if it was edited since.'),
    comment,
    scheduledFor: z
      .union([z.literal('now'), scheduledFor], {
        error: 'must be "now", "next-slot" or a time in UTC such as 2026-05-31T16:00:00Z',
      })
      .optional()
      .describe('When to publish it. Default: as planned. Required if that time has passed.'),
  })
  .meta({ example: { version: 1 } })

export const rejectBody = z
  .object({ comment })
  .meta({ example: { comment: 'We do not announce prices.' } })
  .optional()

export const remarkBody = z
  .object({ comment: remark.describe('For the author.') })
  .meta({ example: { comment: 'Please name the shop.' } })

const reviewLink = {
  label: text(100).describe('Whom it is for, such as the name of a client.'),
  mayDecide: z.boolean().describe('false: they see the post and comment, and decide nothing.'),
}

export const linkBody = z
  .object({
    label: reviewLink.label.default(''),
    days: z.int().min(1, DAYS).max(MOST_DAYS, DAYS).default(VALID_DAYS).describe('How long the link works.'),
    mayDecide: reviewLink.mayDecide.default(true),
  })
  .meta({ example: { label: 'Clara, the client', days: 7 } })

export const createdLinkSchema = z.object({
  id: z.string(),
  link: z.url().describe('For the client. Shown only once.'),
  ...reviewLink,
  expiresAt: z.iso.datetime(),
})

export const approvalSchema = z
  .object({
    id: z.string().describe('The id of the post.'),
    status: status.describe(
      'held: its time passed before it was approved, so it is not published. rejected: the post is cancelled.',
    ),
    version: z.int().describe('From 1; every edit is another one. approvePost takes it.'),
    publishes: z.enum(['at_time', 'on_approval']).describe('on_approval: as soon as it is approved.'),
    requestedBy: labelledActor,
    requestedAt: z.iso.datetime(),
    decidedBy: labelledReviewer.optional().describe('guest: somebody with a link.'),
    decidedAt: z.iso.datetime().optional(),
    remarks: z
      .array(
        z.object({
          by: labelledReviewer,
          at: z.iso.datetime(),
          decision: z.enum(['approved', 'changes_requested', 'rejected']).optional(),
          text: z.string().optional(),
        }),
      )
      .describe('Decisions and comments, oldest first.'),
    changes: z
      .array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() }))
      .describe(
        'What was edited since the last decision, or since approval was first requested. A value is absent where the field is.',
      ),
    links: z
      .array(z.object({ id: z.string(), ...reviewLink, expiresAt: z.iso.datetime() }))
      .describe('The links with which guests can review the post now.'),
    post: scheduledPostSchema,
  })
  .meta({ id: 'Approval' })
