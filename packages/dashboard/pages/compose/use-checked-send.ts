import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Draft } from './draft.ts'
import { readinessOf } from './readiness.ts'
import { isInvalid, previewQuery, type Checked } from './use-preview.ts'

/**
 * Sends what is written once it was checked, to the accounts that can have it.
 *
 * @param send not called if the check finds an account that cannot have it and that the user was not shown
 */
export function useCheckedSend(draft: Draft, { previews, error }: Checked, send: (fit: Draft) => void) {
  const client = useQueryClient()
  const [isChecking, setChecking] = useState(false)
  const { fit, refused, reason: why } = readinessOf(draft, previews)
  const reason = why ?? (isInvalid(error) ? error.message : undefined)
  const submit = async () => {
    if (reason !== undefined || isChecking) return
    setChecking(true)
    const checked = await client.fetchQuery(previewQuery(draft)).catch((error: Error) => error)
    setChecking(false)
    if (checked instanceof Error) {
      // What cannot be checked is sent all the same: publishing checks it, too.
      if (!isInvalid(checked)) send(fit)
      return
    }
    const now = readinessOf(draft, checked)
    const shown = refused.map(({ accountId }) => accountId)
    if (now.reason === undefined && now.refused.every(({ accountId }) => shown.includes(accountId))) send(now.fit)
  }
  return { fit, refused, reason, isChecking, submit }
}
