import * as z from 'zod'
import { EXAMPLE } from '../../openapi/examples.ts'

/** How a request makes a post, besides what the post is. */
export const makeFields = {
  allowDuplicate: z
    .boolean()
    .optional()
    .describe(
      'false: refuse with failed_precondition what was or will be posted to one of the accounts with the same text and ' +
        'media within 24 hours. true: post it anyway. The default depends on the settings of the service: usually ' +
        'false for agents and the dashboard, true for the API.',
    ),
  requestApproval: z
    .boolean()
    .optional()
    .describe(
      'true: it is not published before somebody approves it (approvePost). The default depends on the approval policy of the ' +
        'workspace; what needs approval by that always does.',
    ),
}

export const undoUntil = z.iso
  .datetime()
  .optional()
  .describe('Only if it can be taken back first: it is published then, unless cancelScheduledPost cancels it.')

export const awaitsApproval = z
  .literal(true)
  .optional()
  .describe('Only if it is not published before somebody approves it. getApproval has its state.')

export const queuedSchema = z
  .object({
    runId: z.string(),
    id: z.string(),
    queued: z
      .boolean()
      .describe('false: it awaits approval, or can be taken back until undoUntil, and is among the scheduled posts.'),
    awaitsApproval,
    undoUntil,
  })
  .meta({ id: 'QueuedPost', examples: [{ runId: EXAMPLE.post, id: EXAMPLE.post, queued: true }] })
