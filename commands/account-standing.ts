import type { AccountEvent, AccountState } from '../domain/account/account.ts'
import type { Capability, Limit } from '../domain/account/capability.ts'
import { asText } from '../domain/core/text.ts'
import { isoTime } from '../infra/runtime/clock.ts'

/** Most platforms use rate-limit windows of 15 minutes. */
const USUAL_REST_MS = 15 * 60_000
const LONGEST_REST_MS = 24 * 3_600_000

/** Rests the account for as long as the platform asks, at most a day. @param now ms since the epoch */
export function restAccount(
  state: AccountState,
  { reason, forMs = USUAL_REST_MS }: { readonly reason: string; readonly forMs?: number | undefined },
  now: number,
): readonly AccountEvent[] {
  const until = isoTime(now + Math.min(forMs, LONGEST_REST_MS))
  if (state.status !== 'connected' || (state.restsUntil !== undefined && state.restsUntil >= until)) return []
  return [{ type: 'AccountRested', data: { until, reason: asText(reason, 2000) } }]
}

/** Marks the account as one that its owner has to reconnect. No-op when it is already marked. */
export function requireReauth(state: AccountState, reason: string): readonly AccountEvent[] {
  if (state.status !== 'connected' || state.needsReauth !== undefined) return []
  const { workspaceId, platform } = state
  return [{ type: 'AccountNeedsReauth', data: { reason: asText(reason, 2000), workspaceId, platform } }]
}

/** Records when the access to the account ends. No-op when that is known. @param until ISO 8601 UTC */
export function noteExpiry(state: AccountState, until: string): readonly AccountEvent[] {
  if (state.status !== 'connected' || state.expiresAt === until) return []
  const { workspaceId, platform } = state
  return [{ type: 'AccountExpiring', data: { until, workspaceId, platform } }]
}

/** Records what limits a capability. No-op while the same is known: the platform's words may differ from call to call. */
export function limitAccount(state: AccountState, capability: Capability, limit: Limit): readonly AccountEvent[] {
  if (state.status !== 'connected') return []
  const known = state.limits?.[capability]
  if (known?.cause === limit.cause && known.permission === limit.permission) return []
  const { reason, permission } = limit
  const data = {
    ...{ capability, ...limit, reason: asText(reason, 2000) },
    ...(permission !== undefined && { permission: asText(permission, 500) }),
  }
  return [{ type: 'AccountLimited', data }]
}

/** Records that a capability works. No-op when nothing limits it. */
export function liftLimit(state: AccountState, capability: Capability): readonly AccountEvent[] {
  const isLimited = state.status === 'connected' && state.limits?.[capability] !== undefined
  return isLimited ? [{ type: 'AccountLimitLifted', data: { capability } }] : []
}
