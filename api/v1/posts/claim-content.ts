import { createHash } from 'node:crypto'
import { load } from '../../../commands/handle.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { post, type PostContent } from '../../../domain/post/post.ts'
import { identityOf, partsOf, SAME_WITHIN_MS, sameAgain, type Part } from '../../../domain/post/same-again.ts'
import { transaction, type Database } from '../../../infra/postgres/pool.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { postsWithMedia } from '../../../projections/models/recent-content.ts'
import type { Services } from '../../kit/services.ts'

/** A post that claimed its content this long (ms) ago and is not in the log failed, or its process crashed. */
const IN_PROGRESS_MS = 60_000

export interface NewPost {
  readonly id: string
  readonly content: PostContent
  /** When it is published, in ms. */
  readonly at: number
}

/**
 * Makes a post unless its content was or will be posted to one of its accounts within 24 hours. The read models suggest earlier
 * posts and the log decides; of two at once, the claim in the database decides.
 *
 * @throws Refusal failed_precondition naming the earlier post
 */
export async function onceOnly<T>(
  services: ClaimDeps,
  { id, content, at }: NewPost,
  make: () => Promise<T>,
): Promise<T> {
  const { db, log, clock } = services
  const { workspaceId, mediaUrl } = content
  const parts = partsOf(content)
  const mustDiffer = async (earlier: string, claimedAt = 0) => {
    const state = await load(log, post, earlier)
    const isInProgress = state.status === 'absent' && clock.now() - claimedAt < IN_PROGRESS_MS
    const same = isInProgress ? parts[0] : sameAgain(parts, at, state)
    if (same) throw again(earlier, same)
  }
  const between = { from: isoTime(at - SAME_WITHIN_MS), to: isoTime(at + SAME_WITHIN_MS) }
  const shown = await postsWithMedia(db, { workspaceId, mediaUrl, ...between })
  for (const earlier of shown) if (earlier !== id) await mustDiffer(earlier)

  const keys = [...new Set(parts.map((part) => sha256(identityOf(part))))].toSorted()
  const others = new Set([id])
  for (;;) {
    const claims = await claim(db, { workspaceId, keys, id, others: [...others], now: isoTime(clock.now()) })
    if (!claims) break
    for (const { postId, createdAt } of claims) {
      await mustDiffer(postId, Date.parse(createdAt))
      others.add(postId)
    }
  }
  try {
    return await make()
  } catch (error) {
    // Otherwise the next attempt would wait for this one. After any other error, the post may have been made.
    if (error instanceof Refusal) {
      await db.query('delete from service.post_claims where workspace_id = $1 and post_id = $2', [workspaceId, id])
    }
    throw error
  }
}

type ClaimDeps = Pick<Services, 'db' | 'log' | 'clock'>

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function again(earlier: string, { accountId }: Part): Refusal {
  return new Refusal(
    'failed_precondition',
    `${earlier} has the same text and media for the account ${accountId}, less than 24 hours apart. Set allowDuplicate ` +
      'to true to post it anyway.',
  )
}

interface Claim {
  readonly postId: string
  readonly createdAt: string
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
  await db.query('delete from service.post_claims where created_at <= $1', [isoTime(now - SAME_WITHIN_MS)])
}
