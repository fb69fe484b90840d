import type { PlatformKey } from '../../../domain/core/platform.ts'
import type { StandInDeps } from '../stand-in.ts'

export const DAY_S = 86_400

/** How many posts the account has published in the last 24 hours. */
export function postedToday(platform: PlatformKey, accountId: string, { ledger, clock }: StandInDeps): number {
  const since = clock.now() - DAY_S * 1_000
  return ledger.posts(platform, { accountId }).filter(({ createdAt }) => Date.parse(createdAt) > since).length
}
