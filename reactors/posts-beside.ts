import { finalText } from '../domain/caption.ts'
import { isQueued, post, targetId, type TargetState } from '../domain/post.ts'
import { load, type CommandDeps } from '../commands/handle.ts'
import type { Database } from '../database/pool.ts'
import type { ListedPost, OtherPosts, Platform } from '../platforms/platform.ts'
import type { Seen } from '../projections/seen.ts'
import { isoTime, type Clock } from '../system/clock.ts'
import { conclusiveAt } from './visible-call.ts'

/** Another post may have been queued so long (ms) before the one that is searched for, and have gone out with it. */
const QUEUED_BEFORE_MS = 7 * 86_400_000
/** So many others without a result are looked at; where a search meets more, there is doubt. */
const MOST_OPEN = 200
/** An answer that takes longer (ms) may never come. */
const SLOW_MS = 5_000
/** What the platform's clock and ours may differ by (ms). */
const CLOCKS_APART_MS = 60_000

/** One post on one account. */
export interface PostOnAccount {
  readonly postId: string
  readonly platform: Platform
  /** The platform's own id of the account. */
  readonly externalId: string
  /** As it goes out there. */
  readonly text: string
}

/** One whose answer was lost. Times are ISO 8601 UTC. */
export interface SearchedPost extends PostOnAccount {
  readonly queuedAt: string
  /** When its call was allowed. */
  readonly submittedAt: string
}

/** When a post can have been made, ms since the epoch. */
interface Span {
  readonly from: number
  readonly to: number
}

/** A post that is alike, and whose call was made, or may have been, with nobody knowing what came of it. */
interface Rival extends Span {
  /** Whether somebody will look what did. */
  readonly isOpen: boolean
  /** Whether its answer was lost, or has not come for long. */
  readonly isUnanswered: boolean
}

/** Another post, on the same account as it is known in some workspace. */
interface OtherPost {
  readonly id: string
  readonly account_id: string
}

interface OtherRow extends OtherPost {
  readonly platform_post_id: string | null
}

type Deps = Pick<CommandDeps, 'log' | 'clock'> & { readonly db: Database; readonly seen: Pick<Seen, 'waitFor'> }

/** What is known of the other posts of an account, in whichever workspaces it is, where posts are told by what they say. */
export interface PostsBeside {
  /**
   * For who searches one. All that was queued before the search is heeded: where the read models do not come as far in time,
   * there is doubt.
   */
  others(searched: SearchedPost): OtherPosts
  /**
   * Whether the answer to one that says the same is lost, and will soon be looked for: were that of this one lost, too, nothing
   * could tell them apart.
   */
  isAlikeLost(post: PostOnAccount): Promise<boolean>
}

export function postsBeside(deps: Deps): PostsBeside {
  const { db, log, seen, clock } = deps
  return {
    others: (searched) => async (listed) => {
      const { platform, queuedAt, submittedAt } = searched
      const isShown = await seen.waitFor(await log.head())
      const rows = await othersOf(db, searched)
      const open = rows.filter(({ platform_post_id: id }) => id === null)
      const { published, rivals } = await lookedAt(deps, searched, open.slice(0, MOST_OPEN))
      const known = new Set([...published, ...rows.map(({ platform_post_id: id }) => id)])
      const unknown = listed.filter(({ id }) => !known.has(id))
      const ours = spanOf(platform, queuedAt, submittedAt)
      const inTime = unknown.filter((one) => couldBe(one, ours))
      // A clock that is wrong must not make what is there absent.
      const rest = inTime.length > 0 ? inTime : unknown
      const inDoubt = rivals.filter((span) => rest.some((one) => couldBe(one, span)))
      const isPassing = !isShown || inDoubt.some((rival) => isSoonKnown(rival, clock))
      return {
        ruledOut: new Set(listed.filter((one) => !rest.includes(one)).map(({ id }) => id)),
        doubt: isPassing ? 'passing' : inDoubt.length > 0 || open.length > MOST_OPEN ? 'lasting' : 'none',
      }
    },
    isAlikeLost: async (post) => {
      // Where the read models stay behind, that is not waited for: this is to make a doubt rare, and the search heeds it.
      await seen.waitFor(await log.head())
      const { rivals } = await lookedAt(deps, post, await begunOf(deps, post))
      return rivals.some((rival) => rival.isUnanswered && isSoonKnown(rival, clock))
    },
  }
}

/** Of other posts, the platform's ids of those that are published, and those that may be out without anybody knowing. */
async function lookedAt({ log, clock }: Deps, { platform, text }: PostOnAccount, others: readonly OtherPost[]) {
  const published: string[] = []
  const rivals: Rival[] = []
  const states = await Promise.all(others.map(({ id }) => load(log, post, id)))
  for (const [index, state] of states.entries()) {
    const accountId = others[index]?.account_id ?? ''
    const target = isQueued(state) && state.targets.get(targetId({ platform: platform.key, accountId }))?.state
    if (!target) continue
    if (target.step === 'published') published.push(target.postId)
    else if (mayBeOut(target) && platform.areAlike?.(finalText(state, platform.key), text)) {
      const { step, submission } = target
      const span = spanOf(platform, state.queuedAt, submission?.at)
      const isUnanswered =
        step === 'submitted' && (target.lost !== undefined || clock.now() > Date.parse(target.submission.at) + SLOW_MS)
      rivals.push({ ...span, isOpen: step === 'submitted', isUnanswered })
    }
  }
  return { published, rivals }
}

/** Who waits for its answer will have it, or have looked, by the end of its span. */
function isSoonKnown({ isOpen, to }: Rival, clock: Clock): boolean {
  return isOpen && clock.now() < to
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

/** Those that a worker has taken up, and that wait to be looked for or tried again. */
async function begunOf(
  { db, clock }: Deps,
  { postId, platform, externalId }: PostOnAccount,
): Promise<readonly OtherPost[]> {
  const { rows } = await db.query<OtherPost>(
    `select g.subject as id, a.id as account_id
     from read.accounts a join read.agenda g on g.kind = 'publish' and g.lane = 'publish/' || a.id
     where a.platform = $1 and a.external_id = $2 and g.subject <> $3
       and (g.lease_token is not null or greatest(g.due_at, g.lease_until) > $4)
     limit ${MOST_OPEN}`,
    [platform.key, externalId, postId, isoTime(clock.now())],
  )
  return rows
}
