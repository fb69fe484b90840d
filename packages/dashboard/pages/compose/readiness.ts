import { t } from '@lingui/core/macro'
import type { Preview } from '../../client/types.ts'
import { canBeLookedAt, isUploading, type Draft } from './draft.ts'

export interface Readiness {
  /** The post for the accounts that can have it. */
  readonly fit: Draft
  /** What would fail, and is left out. */
  readonly refused: readonly Preview[]
  /** Why nothing can be sent, as a sentence. */
  readonly reason?: string
}

/** What can be sent of what is written. @param previews as far as they are known */
export function readinessOf(draft: Draft, previews: readonly Preview[]): Readiness {
  const chosen = Object.values(draft.selections).flat()
  const refused = previews.filter(
    (preview) => chosen.includes(preview.accountId ?? '') && hinders(preview, draft).length > 0,
  )
  const out = new Set(refused.map(({ accountId }) => accountId))
  const selections = Object.fromEntries(
    Object.entries(draft.selections)
      .map(([platform, ids]) => [platform, ids.filter((id) => !out.has(id))] as const)
      .filter(([, ids]) => ids.length > 0),
  )
  const isNobodyLeft = Object.keys(selections).length === 0
  const why = whyIncomplete(draft) ?? (isNobodyLeft ? refused.flatMap((one) => hinders(one, draft))[0] : undefined)
  return { fit: { ...draft, selections }, refused, reason: why }
}

function whyIncomplete(draft: Draft): string | undefined {
  if (draft.media.some(({ file }) => file?.error !== undefined)) return t`Remove the file that could not be uploaded.`
  if (isUploading(draft)) return t`Waiting for the uploads.`
  if (Object.keys(draft.selections).length === 0) return t`Choose at least one account.`
  return canBeLookedAt(draft) ? undefined : t`Write a caption or add media.`
}

/** The problems that publishing would have. Until its time has come, an account can be reconnected. */
function hinders({ details, token }: Preview, { when }: Draft): readonly string[] {
  const isLater = when !== 'now' && token?.status === 'needs_reauth'
  return details.flatMap(({ path, message, unchecked }) =>
    unchecked || (isLater && path.startsWith('selections')) ? [] : [message],
  )
}
