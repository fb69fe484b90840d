import { finalText } from '../domain/caption.ts'
import type { PlatformKey } from '../domain/platform.ts'
import { isQueued, post, targetId, type TargetState } from '../domain/post.ts'
import { load, type CommandDeps } from '../commands/handle.ts'
import type { Database } from '../database/pool.ts'
import type { OtherPosts } from '../platforms/platform.ts'
import type { Seen } from '../projections/seen.ts'
import { isoTime } from '../system/clock.ts'

/** Another post may have been queued so long (ms) before the one that is searched for, and have gone out with it. */
const QUEUED_BEFORE_MS = 7 * 86_400_000
/** So many others without a result are looked at; where there are more, there is doubt. */
const MOST_OPEN = 200

/** One post on one account. */
export interface SearchedPost {
  readonly postId: string
  readonly platform: PlatformKey
  /** The platform's own id of the account. */
  readonly externalId: string
  /** ISO 8601 UTC. */
  readonly queuedAt: string
}

interface OtherRow {
  readonly id: string
  readonly account_id: string
  readonly platform_post_id: string | null
}

/**
 * What is known of the other posts of an account, in whichever workspaces it is, for who searches one by what it says.
 * All that was queued before the search is heeded: where the read models do not come as far in time, there is doubt.
 */
export function otherPosts(
  deps: Pick<CommandDeps, 'log'> & { readonly db: Database; readonly seen: Pick<Seen, 'waitFor'> },
): (searched: SearchedPost) => OtherPosts {
  const { db, log, seen } = deps
  return (searched) => async (platformPostIds, isAlike) => {
    const isShown = await seen.waitFor(await log.head())
    const rows = await othersOf(db, searched)
    const known = new Set(rows.flatMap(({ platform_post_id: id }) => (id === null ? [] : [id])))
    const open = rows.filter(({ platform_post_id: id }) => id === null)
    let inDoubt = !isShown || open.length > MOST_OPEN
    for (const { id, account_id: accountId } of open.slice(0, MOST_OPEN)) {
      const state = await load(log, post, id)
      const target = isQueued(state) && state.targets.get(targetId({ platform: searched.platform, accountId }))
      if (!target) continue
      if (target.state.step === 'published') known.add(target.state.postId)
      else if (mayBeOut(target.state) && isAlike(finalText(state, searched.platform))) inDoubt = true
    }
    return { known: new Set(platformPostIds.filter((id) => known.has(id))), inDoubt }
  }
}

/** Whether its call was made, or may have been, with nobody knowing what came of it. */
function mayBeOut(state: TargetState): boolean {
  return state.step === 'submitted' || (state.step === 'failed' && state.code === 'unknown')
}

/** Each with the id that the platform gave it; null where it has none, or none yet. */
async function othersOf(
  db: Database,
  { postId, platform, externalId, queuedAt }: SearchedPost,
): Promise<readonly OtherRow[]> {
  const { rows } = await db.query<OtherRow>(
    `select p.id, a.id as account_id, result.item ->> 'postId' as platform_post_id
     from read.accounts a
     join read.posts p on p.workspace_id = a.workspace_id
     join json_array_elements_text(p.selections -> $2) as selected (account_id) on selected.account_id = a.id
     left join lateral json_array_elements(p.results -> $2) as result (item) on result.item ->> 'accountId' = a.id
     where a.platform = $2 and a.external_id = $3 and p.id <> $1 and p.created_at >= $4
       and (result.item is null or result.item ->> 'ok' = 'true' or result.item ->> 'outcome' = 'unknown')`,
    [postId, platform, externalId, isoTime(Date.parse(queuedAt) - QUEUED_BEFORE_MS)],
  )
  return rows
}
