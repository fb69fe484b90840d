import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refusal } from './refusal.ts'
import { accountScript } from './script.ts'

export const DAY_MS = 86_400_000
const MOST_USERS = 5

/**
 * What an app that TikTok has not audited may not do: https://developers.tiktok.com/doc/content-sharing-guidelines/
 *
 * @throws StandInRefusal 403
 */
export function mustBeAudited(account: LedgerAccount, privacyLevel: string, deps: StandInDeps): void {
  if (deps.ledger.isReviewed('tiktok')) return
  if (isOverUserCap(account, deps)) throw refusal('reached_active_user_cap')
  if (privacyLevel === 'SELF_ONLY' && accountScript(account.label).isPrivate) return
  throw refusal(
    'unaudited_client_can_only_post_to_private_accounts',
    'Please review our integration guidelines at https://developers.tiktok.com/doc/content-sharing-guidelines/',
  )
}

/** Whether as many others as an unaudited app may have posted within a day. */
export function isOverUserCap({ externalId }: LedgerAccount, { ledger, clock }: StandInDeps): boolean {
  if (ledger.isReviewed('tiktok')) return false
  const since = isoTime(clock.now() - DAY_MS)
  const direct = ledger.posts('tiktok').filter(({ createdAt, isDraft }) => createdAt > since && !isDraft)
  const users = new Set(direct.map(({ accountId }) => accountId))
  return !users.has(externalId) && users.size >= MOST_USERS
}
