import * as z from 'zod'
import { text } from '../../domain/core/text.ts'
import { NEEDS_APPROVAL } from '../../domain/workspace/approval-policy.ts'

export const approvalPolicySchema = z
  .object({
    who: z
      .enum(NEEDS_APPROVAL, { error: `must be one of ${NEEDS_APPROVAL.join(', ')}` })
      .describe(
        'Whose posts and replies need approval. authors: of everybody who lacks approvals:decide. everyone: also of those ' +
          'who have it; nobody approves their own.',
      ),
    accountIds: z
      .array(text(100).min(1))
      .min(1, { error: 'must not be empty' })
      .max(1000)
      .optional()
      .describe('Only on these accounts. Default: on all.'),
  })
  .meta({ id: 'ApprovalPolicy', examples: [{ who: 'authors', accountIds: ['acc_01JWB4ZC7Y2Q5R8T1V3X6Z9B0D'] }] })
