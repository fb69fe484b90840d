import { useApprovalPolicy, useSession } from '../../client/queries.ts'
import type { Selections } from '../../client/types.ts'

/** Whether what the user writes for these accounts needs approval, as far as is known. */
export function useAsksApproval(selections: Selections): boolean {
  const { permissions } = useSession()
  const { data: policy } = useApprovalPolicy()
  if (!policy || policy.who === 'nobody') return false
  if (policy.who === 'authors' && permissions.includes('approvals:decide')) return false
  const { accountIds } = policy
  const chosen = Object.values(selections).flat()
  return accountIds === undefined || chosen.some((id) => accountIds.includes(id))
}

/** What the main button says. */
export function actionName(isSaved: boolean, isNow: boolean, asks: boolean): string {
  if (asks) return isSaved ? 'Save and request approval' : 'Request approval'
  if (isSaved) return 'Save'
  return isNow ? 'Publish' : 'Schedule'
}
