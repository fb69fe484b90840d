import { setApprovalPolicy } from '../../commands/set-approval-policy.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import { findAccount } from '../../projections/models/accounts.ts'
import { route, type AnyRoute } from '../http/route.ts'
import { approvalPolicySchema } from '../kit/approval-policy-schema.ts'
import { decider } from '../kit/decide.ts'
import { owned } from '../kit/owned.ts'
import type { DashboardServices } from './services.ts'

/** Only people set it: no API key can lift what its posts are held to. */
export function approvalPolicyRoutes(services: DashboardServices): readonly AnyRoute[] {
  const decide = decider(services, workspace)
  return [
    route({
      method: 'PUT',
      path: '/approval-policy',
      operationId: 'setApprovalPolicy',
      summary: 'Set whose posts and replies need approval',
      description: 'What was scheduled before stays as it is.',
      tag: 'Team',
      scope: 'users:write',
      body: approvalPolicySchema,
      answer: { status: 200, description: 'The policy.', schema: approvalPolicySchema },
      handle: async (request) => {
        const { body, caller } = request
        for (const id of body.accountIds ?? []) owned(await findAccount(services.db, id), caller, 'account')
        await decide(request, caller.workspaceId, (state) => setApprovalPolicy(state, body))
        return { status: 200, body }
      },
    }),
  ]
}
