import { t } from '@lingui/core/macro'
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
interface Action {
  readonly all: string
  /** For some of the accounts only. */
  readonly some: (count: number) => string
}

const ACTIONS = {
  saveAndAsk: {
    all: t`Save and request approval`,
    some: (count) => t`Save and request approval for the ${count} that can`,
  },
  ask: { all: t`Request approval`, some: (count) => t`Request approval for the ${count} that can` },
  save: { all: t`Save`, some: (count) => t`Save for the ${count} that can` },
  publish: { all: t`Publish`, some: (count) => t`Publish to the ${count} that can` },
  schedule: { all: t`Schedule`, some: (count) => t`Schedule for the ${count} that can` },
} satisfies Readonly<Record<string, Action>>

export function actionName(isSaved: boolean, isNow: boolean, asks: boolean): Action {
  if (asks) return isSaved ? ACTIONS.saveAndAsk : ACTIONS.ask
  if (isSaved) return ACTIONS.save
  return isNow ? ACTIONS.publish : ACTIONS.schedule
}
