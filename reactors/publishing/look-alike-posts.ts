import type { PostType } from '../../domain/core/platform.ts'
import { isQueued, post, targetId } from '../../domain/post/post.ts'
import type { PublishedPart } from '../../domain/post/publish-result.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { OtherPosts, Platform } from '../../platforms/kit/platform.ts'
import { accounts } from '../../projections/models/accounts.ts'
import { posts } from '../../projections/models/posts.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { progressOf } from '../../projections/engine/tables.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { couldBe, isSoonKnown, lastMadeAt, LOOKED_FOR_WITHIN_MS, lookAlikeOf, type LookAlike } from './look-alike.ts'
import { partOf } from './publish-job.ts'
import { LOOK_AGAIN_MS } from '../platform-calls/visible-call.ts'

/** A look-alike may have been queued this long (ms) before the searched post, and published at the same time. */
const QUEUED_BEFORE_MS = 7 * 86_400_000
/** Most posts without a result that a search examines; if there are more, there is doubt. */
const MOST_OPEN = 2_000
/** The same limit before publishing a post. */
const MOST_BEGUN = 200
/** How long (ms) a search waits for the read models. */
const SHOWN_WITHIN_MS = 10_000

/** One post on one account. */
export interface PostOnAccount {
  readonly postId: string
  readonly platform: Platform
  /** The platform's own id of the account. */
  readonly externalId: string
  /** As published there. */
  readonly text: string
  readonly mediaType: PostType
}

/** A post whose response was lost. Times are ISO 8601 UTC. */
export interface SearchedPost extends PostOnAccount {
  readonly queuedAt: string
  /** When its call was allowed. */
  readonly submittedAt: string
}

/** Another post on the same platform account, in any workspace. */
interface OtherPost {
  readonly id: string
  readonly account_id: string
}

interface OtherRow extends OtherPost {
  readonly platform_post_id: string | null
  /** Of a chain. */
  readonly parts: readonly PublishedPart[] | null
}

type Deps = Pick<CommandDeps, 'log' | 'clock'> & { readonly db: Database; readonly seen: Pick<Seen, 'waitFor'> }

/** Look-alikes: an account's other posts with the same text, in any workspace, where only the text tells posts apart. */
export interface LookAlikePosts {
  /**
   * For a search for one post. Considers everything queued before the search; if the read models do not catch up in time, there
   * is doubt.
   */
  others(searched: SearchedPost): OtherPosts
  /**
   * Until when (ms since the epoch) a post has to wait because the response to a look-alike was lost and will be searched for: if
   * both responses were lost, nothing could tell the posts apart. Undefined when it may be published.
   */
  lostUntil(post: PostOnAccount): Promise<number | undefined>
}

export function lookAlikePosts(deps: Deps): LookAlikePosts {
  const { clock } = deps
  return {
    others: (searched) => async (listed) => {
      const isShown = await areShown(deps)
      const rows = await othersOf(deps, searched)
      const open = rows.filter(({ platform_post_id: id }) => id === null)
      const { published, lookAlikes } = await lookedAt(deps, searched, open.slice(0, MOST_OPEN))
      const known = new Set([...published, ...rows.map(({ platform_post_id: id }) => id), ...rows.flatMap(partIds)])
      const unknown = listed.filter(({ id }) => !known.has(id))
      const ours = { from: -Infinity, to: lastMadeAt(searched.platform, searched.submittedAt) }
      const inTime = unknown.filter((one) => couldBe(one, ours))
      // If all were created too late, a clock may be wrong: then creation times neither prove absence nor settle a doubt.
      const isTimely = inTime.length > 0 || unknown.length === 0
      const rest = isTimely ? inTime : unknown
      const inDoubt = isTimely ? lookAlikes.filter((span) => rest.some((one) => couldBe(one, span))) : lookAlikes
      const isPassing = !isShown || inDoubt.some((lookAlike) => isSoonKnown(lookAlike, clock.now()))
      const isLasting = inDoubt.length > 0 || !isTimely || open.length > MOST_OPEN
      return {
        ruledOut: new Set(listed.filter((one) => !rest.includes(one)).map(({ id }) => id)),
        doubt: isPassing ? 'passing' : isLasting ? 'lasting' : 'none',
      }
    },
    lostUntil: async (post) => {
      const { areAlike, proof } = post.platform
      if (!areAlike || proof[post.mediaType] !== 'searchable') return undefined
      // The agenda need not be current: what was begun had its row there, and keeps it until its outcome is known.
      const { lookAlikes } = await lookedAt(deps, post, await begunOf(deps, post))
      const awaited = lookAlikes.filter((lookAlike) => lookAlike.isUnanswered && isSoonKnown(lookAlike, clock.now()))
      if (awaited.length === 0) return undefined
      return Math.max(clock.now() + LOOK_AGAIN_MS, ...awaited.map(({ lookAt = 0 }) => lookAt))
    },
  }
}

/** Whether the read models of posts and accounts show everything that is in the log now. */
async function areShown({ db, log, seen }: Deps): Promise<boolean> {
  if (!(await seen.waitFor(await log.head(), SHOWN_WITHIN_MS))) return false
  const { halted } = await progressOf(db)
  return ![posts, accounts].some(({ name }) => Object.hasOwn(halted, name))
}

/** Of other posts: the platform's ids of the published ones, and the look-alikes that may be live with an unknown outcome. */
async function lookedAt({ log, clock }: Deps, { platform, text }: PostOnAccount, others: readonly OtherPost[]) {
  const { key, areAlike = isSame } = platform
  const published: string[] = []
  const lookAlikes: LookAlike[] = []
  const states = await Promise.all(others.map(({ id }) => load(log, post, id)))
  for (const [index, state] of states.entries()) {
    const accountId = others[index]?.account_id ?? ''
    const target = isQueued(state) && state.targets.get(targetId({ platform: key, accountId }))
    if (!target) continue
    published.push(...target.published.map(({ postId }) => postId))
    const part = partOf(state, key, target.published.length)
    const isAlike = areAlike(part.text, text)
    const sent = { queuedAt: state.queuedAt, mediaType: part.mediaType }
    const lookAlike = isAlike ? lookAlikeOf(platform, sent, target.state, clock.now()) : undefined
    if (lookAlike) lookAlikes.push(lookAlike)
  }
  return { published, lookAlikes }
}

function partIds({ parts }: OtherRow): readonly string[] {
  return (parts ?? []).map(({ postId }) => postId)
}

function isSame(text: string, other: string): boolean {
  return text.trim() === other.trim()
}

/** Each with the id that the platform assigned; null if there is none, or none yet. */
async function othersOf(
  { db }: Deps,
  { postId, platform, externalId, queuedAt }: SearchedPost,
): Promise<readonly OtherRow[]> {
  const { rows } = await db.query<OtherRow>(
    `select p.id, a.id as account_id, result.item ->> 'postId' as platform_post_id,
       result.item -> 'parts' as parts
     from read.accounts a
     join read.posts p on p.workspace_id = a.workspace_id
     join json_array_elements_text(p.selections -> $2) as selected (account_id) on selected.account_id = a.id
     left join lateral json_array_elements(p.results -> $2) as result (item) on result.item ->> 'accountId' = a.id
     where a.platform = $2 and a.external_id = $3 and p.id <> $1 and p.created_at >= $4
       and (result.item is null or result.item ->> 'ok' = 'true' or result.item ->> 'outcome' = 'unknown'
         or result.item -> 'parts' is not null)`,
    [postId, platform.key, externalId, isoTime(Date.parse(queuedAt) - QUEUED_BEFORE_MS)],
  )
  return rows
}

/** Leased posts first, then those due last: a post whose response was lost is due when it will be searched for. */
async function begunOf(
  { db, clock }: Deps,
  { postId, platform, externalId }: PostOnAccount,
): Promise<readonly OtherPost[]> {
  const { rows } = await db.query<OtherPost>(
    `select g.subject as id, a.id as account_id
     from read.accounts a join read.agenda g on g.kind = 'publish' and g.lane = 'publish/' || a.id
     where a.platform = $1 and a.external_id = $2 and g.subject <> $3
       and greatest(g.due_at, g.lease_until) > $4 and (g.lease_token is not null or g.due_at > $4)
     order by g.lease_token is null, g.due_at desc limit ${MOST_BEGUN}`,
    [platform.key, externalId, postId, isoTime(clock.now() - LOOKED_FOR_WITHIN_MS)],
  )
  return rows
}
