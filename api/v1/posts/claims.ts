import { Refusal } from '../../../domain/core/errors.ts'
import type { Services } from '../../kit/services.ts'
import { transaction, type Database } from '../../../infra/postgres/pool.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'

/** A post that made a claim this long (ms) ago and is not in the log failed, or its process crashed. */
export const IN_PROGRESS_MS = 60_000
/** How long (ms) claims are kept: the read models have shown their posts for long. */
const KEPT_MS = 24 * 3_600_000

export interface Claim {
  readonly postId: string
  /** ISO 8601 UTC. */
  readonly createdAt: string
}

/**
 * Makes a post that alone has the keys. Of two at once, the claim in the database decides.
 *
 * @param check throws when the post that claimed a key still has it
 */
export async function withClaims<T>(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  of: { readonly workspaceId: string; readonly id: string; readonly keys: readonly string[] },
  check: (claim: Claim) => Promise<void>,
  make: () => Promise<T>,
): Promise<T> {
  const { workspaceId, id } = of
  const keys = [...new Set(of.keys)].toSorted()
  const others = new Set([id])
  for (;;) {
    const claims = await claim(db, { workspaceId, keys, id, others: [...others], now: isoTime(clock.now()) })
    if (!claims) break
    for (const other of claims) {
      await check(other)
      others.add(other.postId)
    }
  }
  try {
    return await make()
  } catch (error) {
    // Otherwise the next attempt would wait for this one. After any other error, the post may have been made.
    if (error instanceof Refusal) {
      await db.query('delete from service.post_claims where workspace_id = $1 and post_id = $2 and key = any($3)', [
        ...[workspaceId, id, keys],
      ])
    }
    throw error
  }
}

/** Rolls back: a claim holds for all accounts or for none. */
class Claimed extends Error {
  readonly by: readonly Claim[]

  constructor(by: readonly Claim[]) {
    super('claimed')
    this.by = by
  }
}

/**
 * Claims keys that nobody has, or only `others`.
 *
 * @param of `keys` are sorted, so that two claims never wait for each other
 * @returns the claims of other posts, if there are any
 */
async function claim(
  db: Database,
  of: {
    readonly workspaceId: string
    readonly keys: readonly string[]
    readonly id: string
    readonly others: readonly string[]
    readonly now: string
  },
): Promise<readonly Claim[] | undefined> {
  try {
    return await transaction(db, async (client) => {
      const { rowCount } = await client.query(
        `insert into service.post_claims as claim (workspace_id, key, post_id, created_at)
         select $1, key, $3, $5 from unnest($2::text[]) with ordinality as key (key, place) order by place
         on conflict (workspace_id, key) do update set post_id = $3, created_at = $5 where claim.post_id = any($4)`,
        [of.workspaceId, of.keys, of.id, of.others, of.now],
      )
      if (rowCount === of.keys.length) return undefined
      const { rows } = await client.query<Claim>(
        `select post_id as "postId", created_at as "createdAt" from service.post_claims
         where workspace_id = $1 and key = any($2) and post_id <> all($3)`,
        [of.workspaceId, of.keys, of.others],
      )
      throw new Claimed(rows)
    })
  } catch (error) {
    if (error instanceof Claimed) return error.by
    throw error
  }
}

/** Deletes claims of posts that the read models have shown for long. */
export async function sweepPostClaims(db: Database, now: number): Promise<void> {
  await db.query('delete from service.post_claims where created_at <= $1', [isoTime(now - KEPT_MS)])
}
