import { createHash } from 'node:crypto'
import { load } from '../../../commands/handle.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { post, type PostContent } from '../../../domain/post/post.ts'
import { identityOf, partsOf, SAME_WITHIN_MS, sameAgain, type Part } from '../../../domain/post/same-again.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { postsWithMedia } from '../../../projections/models/recent-content.ts'
import type { Services } from '../../kit/services.ts'
import { IN_PROGRESS_MS, withClaims, type Claim } from './claims.ts'

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
  const { workspaceId, mediaUrl, caption } = content
  const parts = partsOf(content)
  const mustDiffer = async (earlier: string, claimedAt = 0) => {
    const state = await load(log, post, earlier)
    const isInProgress = state.status === 'absent' && clock.now() - claimedAt < IN_PROGRESS_MS
    const same = isInProgress ? parts[0] : sameAgain(parts, at, state)
    if (same) throw again(earlier, same)
  }
  const between = { from: isoTime(at - SAME_WITHIN_MS), to: isoTime(at + SAME_WITHIN_MS) }
  const shown = await postsWithMedia(db, { workspaceId, mediaUrl, caption, ...between })
  for (const earlier of shown) if (earlier !== id) await mustDiffer(earlier)

  const keys = parts.map((part) => sha256(identityOf(part)))
  const check = async ({ postId, createdAt }: Claim) => mustDiffer(postId, Date.parse(createdAt))
  return withClaims(services, { workspaceId, id, keys }, check, make)
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
