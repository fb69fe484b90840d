import { Refusal } from '../../../domain/core/errors.ts'
import { needsApproval } from '../../../domain/workspace/approval-policy.ts'
import { findApprovalPolicy } from '../../../projections/models/workspaces.ts'
import type { Caller } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'

/** Whether what the caller writes for these accounts needs the approval of somebody else. */
export async function asksApproval(
  { db }: Pick<Services, 'db'>,
  { workspaceId, scopes }: Caller,
  accountIds: readonly string[],
): Promise<boolean> {
  const policy = await findApprovalPolicy(db, workspaceId)
  return needsApproval(policy, accountIds, scopes.includes('approvals:decide'))
}

/** @param what cannot be done without an approval, for the error @throws Refusal forbidden */
export async function mustNotNeedApproval(
  services: Pick<Services, 'db'>,
  caller: Caller,
  accountIds: readonly string[],
  what: string,
): Promise<void> {
  if (!(await asksApproval(services, caller, accountIds))) return
  throw new Refusal('forbidden', `Approval is needed on this account, so you cannot ${what}. Somebody else has to.`)
}

export function accountsIn(selections: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.values(selections).flat()
}
