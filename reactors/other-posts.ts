import { finalText } from '../domain/caption.ts'
import { isQueued, post, targetId, type TargetState } from '../domain/post.ts'
import { load, type CommandDeps } from '../commands/handle.ts'
import type { Database } from '../database/pool.ts'
import type { ListedPost, OtherPosts, Platform } from '../platforms/platform.ts'
import type { Seen } from '../projections/seen.ts'
import { isoTime } from '../system/clock.ts'
import { conclusiveAt } from './visible-call.ts'

/** Another post may have been queued so long (ms) before the one that is searched for, and have gone out with it. */
const QUEUED_BEFORE_MS = 7 * 86_400_000
/** So many others without a result are looked at; where there are more, there is doubt. */
const MOST_OPEN = 200
/** What the platform's clock and ours may differ by (ms). */
const CLOCKS_APART_MS = 60_000

/** One post on one account. Times are ISO 8601 UTC. */
export interface SearchedPost {
  readonly postId: string
  readonly platform: Platform
  /** The platform's own id of the account. */
  readonly externalId: string
  readonly queuedAt: string
  /** When its call was allowed. */
  readonly submittedAt: string
}

/** When a post can have been made, ms since the epoch. */
interface Span {
  readonly from: number
  readonly to: number
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
  deps: Pick<CommandDeps, 'log' | 'clock'> & { readonly db: Database; readonly seen: Pick<Seen, 'waitFor'> },
): (searched: SearchedPost) => OtherPosts {
  const { db, log, seen, clock } = deps
  return (searched) => async (listed, isAlike) => {
    const { platform, queuedAt, submittedAt } = searched
    const isShown = await seen.waitFor(await log.head())
    const rows = await othersOf(db, searched)
    const known = new Set(rows.flatMap(({ platform_post_id: id }) => (id === null ? [] : [id])))
    const open = rows.filter(({ platform_post_id: id }) => id === null)
    const lost: (Span & { readonly step: TargetState['step'] })[] = []
    for (const { id, account_id: accountId } of open.slice(0, MOST_OPEN)) {
      const state = await load(log, post, id)
      const target = isQueued(state) && state.targets.get(targetId({ platform: platform.key, accountId }))
      if (!target) continue
      if (target.state.step === 'published') known.add(target.state.postId)
      else if (mayBeOut(target.state) && isAlike(finalText(state, platform.key))) {
        const { step, submission } = target.state
        lost.push({ step, ...spanOf(platform, state.queuedAt, submission?.at) })
      }
    }
    const unknown = listed.filter(({ id }) => !known.has(id))
    const ours = spanOf(platform, queuedAt, submittedAt)
    const inTime = unknown.filter((one) => couldBe(one, ours))
    // A clock that is wrong must not make what is there absent.
    const rest = inTime.length > 0 ? inTime : unknown
    const rivals = lost.filter((span) => rest.some((one) => couldBe(one, span)))
    // Who waits for its answer will have it, or have looked, by then.
    const isPassing = !isShown || rivals.some(({ step, to }) => step === 'submitted' && clock.now() < to)
    return {
      ruledOut: new Set(listed.filter((one) => !rest.includes(one)).map(({ id }) => id)),
      doubt: isPassing ? 'passing' : rivals.length > 0 || open.length > MOST_OPEN ? 'lasting' : 'none',
    }
  }
}

/** Whether its call was made, or may have been, with nobody knowing what came of it. */
function mayBeOut(state: TargetState): state is Extract<TargetState, { step: 'submitted' | 'failed' }> {
  return state.step === 'submitted' || (state.step === 'failed' && state.code === 'unknown')
}

/** @param submittedAt when its last call was allowed; an earlier one may have been made at any time since it was queued */
function spanOf(platform: Platform, queuedAt: string, submittedAt: string | undefined): Span {
  const from = Date.parse(queuedAt) - CLOCKS_APART_MS
  return { from, to: submittedAt === undefined ? Infinity : conclusiveAt(submittedAt, platform) + CLOCKS_APART_MS }
}

function couldBe({ createdAt }: ListedPost, { from, to }: Span): boolean {
  return createdAt === undefined || (from <= createdAt && createdAt <= to)
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
    [postId, platform.key, externalId, isoTime(Date.parse(queuedAt) - QUEUED_BEFORE_MS)],
  )
  return rows
}
