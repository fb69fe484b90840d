import type { Database } from '../../infra/postgres/pool.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { createRateLimiter, type Allowance } from './rate-limit.ts'

/** A new key is counted within this time (ms). */
const COUNTED_FOR_MS = 10_000
const DAY_MS = 86_400_000
const DEFAULT_FACTOR = 5
const MOST_KNOWN = 10_000

export interface WorkspaceLimit {
  /** Counts a request by one of its keys. @returns undefined while all its keys together cannot reach the limit */
  admit(workspaceId: string): Promise<Allowance | undefined>
}

/** A limit shared by all keys of a workspace: `workspaceFactor` times that of one key, so that more keys do not raise it. */
export function createWorkspaceLimit(
  db: Database,
  clock: Clock,
  limits: { readonly perMinute: number; readonly perDay: number; readonly workspaceFactor?: number },
): WorkspaceLimit {
  const { perMinute, perDay, workspaceFactor: factor = DEFAULT_FACTOR } = limits
  const limiter = createRateLimiter(db, clock, { perMinute: perMinute * factor, perDay: perDay * factor })
  const known = new Map<string, { readonly until: number; readonly keys: Promise<number> }>()
  const keysOf = (workspaceId: string): Promise<number> => {
    const now = clock.now()
    const found = known.get(workspaceId)
    if (found && found.until > now) return found.keys
    if (known.size >= MOST_KNOWN) known.clear()
    const keys = usedToday(db, workspaceId, now).catch((error: unknown) => {
      known.delete(workspaceId)
      throw error
    })
    known.set(workspaceId, { until: now + COUNTED_FOR_MS, keys })
    return keys
  }
  return {
    admit: async (workspaceId) =>
      (await keysOf(workspaceId)) > factor ? limiter.admit(`workspace:${workspaceId}`) : undefined,
  }
}

/** Counts the keys that were valid at any time in the last day: replacing a revoked key gives no new allowance. */
async function usedToday(db: Database, workspaceId: string, now: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from read.api_keys
     where workspace_id = $1 and (revoked_at is null or revoked_at > $2)`,
    [workspaceId, new Date(now - DAY_MS)],
  )
  return rows[0]?.count ?? 0
}
