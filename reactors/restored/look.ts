import { noteLook, type Look, type DueRow, type RestoredWork } from '../../infra/postgres/restores.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { Superseded } from '../../commands/superseded.ts'
import type { LookDeps } from './look-for-post.ts'
import { lookForPlanned } from './look-for-planned.ts'
import { lookForPublish } from './look-for-publish.ts'
import { lookForReply } from './look-for-reply.ts'
import { recycledPost, scheduledPost } from './planned-post.ts'

/** The result of a look, and the work that it concerns. */
export interface Examined {
  readonly about: Pick<RestoredWork, 'workspaceId' | 'platform' | 'accountId' | 'text' | 'dueAt'>
  readonly look: Look
}

/**
 * Looks for one piece of work on its platform, settles what it finds, and notes the result. May be interrupted anywhere and
 * repeated.
 *
 * @param since when the log was restored, ms since the epoch
 */
export async function lookFor(
  deps: LookDeps & { readonly db: Database },
  row: DueRow,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  const { id, kind, subject } = row
  try {
    const examined = await examine(deps, row, since, signal)
    if (examined) await noteLook(deps.db, { id, kind, subject, ...examined.about }, examined.look)
  } catch (error) {
    // The read models lag behind the log, or another process has settled it.
    if (!(error instanceof Superseded)) throw error
  }
}

/** @returns undefined when there is nothing left to look for */
async function examine(
  deps: LookDeps & { readonly db: Database },
  row: DueRow,
  since: number,
  signal: AbortSignal,
): Promise<Examined | undefined> {
  switch (row.kind) {
    case 'publish':
      return lookForPublish(deps, row, since, signal)
    case 'send':
      return lookForReply(deps, row, since, signal)
    case 'schedule': {
      const planned = await scheduledPost(deps, row.subject)
      return planned && lookForPlanned(deps, row, planned, signal)
    }
    case 'recycle': {
      const planned = await recycledPost(deps, row.subject, since, signal)
      if (!planned || !('error' in planned)) return planned && lookForPlanned(deps, row, planned, signal)
      const { error: reason, ...about } = planned
      // The rule reports this after the release.
      return { about, look: { outcome: 'absent', reason } }
    }
    case 'feed':
      return { about: { workspaceId: row.lane.slice('feed/'.length), dueAt: row.due_at }, look: NOT_POSTED }
    default:
      throw new Error(`${row.kind} cannot be looked up`)
  }
}

const NOT_POSTED: Look = {
  outcome: 'skipped',
  reason: 'New items at its next check may have been posted before the restore, so they are not posted.',
}
