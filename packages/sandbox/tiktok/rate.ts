import type { StandInDeps } from '../stand-in.ts'
import { refusal } from './refusal.ts'

const MINUTE_MS = 60_000

/**
 * A limit per sliding minute.
 *
 * @returns a function that counts a call of an account, and throws StandInRefusal 429 beyond the limit
 */
export function perMinute(limit: number, { clock }: StandInDeps): (accountId: string) => void {
  const calls = new Map<string, readonly number[]>()
  return (accountId) => {
    const now = clock.now()
    const recent = (calls.get(accountId) ?? []).filter((at) => at > now - MINUTE_MS)
    if (recent.length >= limit) throw refusal('rate_limit_exceeded', 'The API rate limit was exceeded.')
    calls.set(accountId, [...recent, now])
  }
}
