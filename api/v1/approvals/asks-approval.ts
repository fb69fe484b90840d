import { Refusal } from '../../../domain/core/errors.ts'
import { onlyProposes } from '../../../domain/core/scope.ts'
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
  if (onlyProposes(scopes)) return true
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

/**
 * @param authorId who wrote the post or draft
 * @throws Refusal forbidden when the caller may only propose, and somebody else wrote it
 */
export function mustBeOwn({ scopes, actor }: Caller, authorId: string, noun: string): void {
  if (!onlyProposes(scopes) || authorId === actor.id) return
  throw new Refusal(
    'forbidden',
    `This ${noun} is not yours: a key with posts:propose changes only what it wrote itself.`,
  )
}

export function accountsIn(selections: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.values(selections).flat()
}
