import { Refusal } from '../domain/core/errors.ts'
import type { ApprovalPolicy } from '../domain/workspace/approval-policy.ts'
import type { WorkspaceEvent, WorkspaceState } from '../domain/workspace/workspace.ts'

/**
 * Sets whose posts and replies need approval. What was scheduled before stays as it is.
 *
 * @throws Refusal not_found
 */
export function setApprovalPolicy(state: WorkspaceState, policy: ApprovalPolicy): readonly WorkspaceEvent[] {
  if (state.status !== 'active') throw new Refusal('not_found', 'No such workspace.')
  return JSON.stringify(state.approvalPolicy) === JSON.stringify(policy)
    ? []
    : [{ type: 'ApprovalPolicySet', data: policy }]
}
