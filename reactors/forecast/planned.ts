import { eventOf } from '../../domain/core/event.ts'
import { uploadedFileIn } from '../../domain/core/upload.ts'
import { mediaUrls } from '../../domain/post/post-media.ts'
import { post } from '../../domain/post/post.ts'
import type { ForecastRequest } from '../../domain/post/forecast.ts'
import type { CommandDeps } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { eachOf } from '../../infra/runtime/each-of.ts'
import { accessEnd } from '../../platforms/kit/access-end.ts'
import { connectedAccounts, type AccountRow } from '../../projections/models/accounts.ts'
import { postingWorkOf, type PostingWork } from '../../projections/models/due-work.ts'
import { feedPaces } from '../../projections/models/feeds.ts'
import { ownMediaAmong } from '../../projections/models/media.ts'
import { latestResults } from '../../projections/models/posts.ts'
import { listScheduledPosts, versionOf, type ScheduledPostRow } from '../../projections/models/scheduled-posts.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'

/** What a forecast begins with. */
export interface Planned {
  readonly accounts: readonly AccountRow[]
  readonly scheduled: readonly ScheduledPostRow[]
  readonly work: readonly PostingWork[]
  /** When the access to accounts ends that cannot be renewed, ms since the epoch, by the account's id. */
  readonly accessEnds: ReadonlyMap<string, number>
  /** When posts of counted accounts were published, ms since the epoch, the oldest first. */
  readonly published: ReadonlyMap<string, readonly number[]>
  /** Whether a URL is of a file that this service no longer has. */
  readonly isGone: (url: string) => boolean
  /** What feeds have posted in the last `PACE_DAYS`, the busiest first. */
  readonly feeds: Awaited<ReturnType<typeof feedPaces>>
  /** More is planned from then on, ISO 8601 UTC. */
  readonly cutAt: string | undefined
}

export interface PlannedDeps {
  readonly db: Database
  readonly log: CommandDeps['log']
  readonly vault: Pick<Vault, 'find'>
  readonly access: Pick<PlatformAccess, 'platform'>
  readonly isCounted: (account: Pick<AccountRow, 'baseUrl'>) => boolean
}

/** The most scheduled posts, and as many that are being published, of a forecast. */
export const MOST_POSTS = 10_000
/** How far back the pace of a feed is looked at. */
export const PACE_DAYS = 28
const MOST_FEEDS = 20
const DAY_MS = 86_400_000
const MOST_PUBLISHED = 2_000
const READS_AT_ONCE = 16
/** The longest period of a quota (ms), and how long a post may have waited before that. */
const COUNTED_FOR_MS = 48 * 3_600_000

/** One that is held is due again only once somebody approves it. */
const NOT_HELD = { sql: 's.approval_status is distinct from $', value: 'held' }

export async function plannedIn(deps: PlannedDeps, request: ForecastRequest): Promise<Planned> {
  const { db } = deps
  const { workspaceId, now, until, most = MOST_POSTS } = request
  const limit = most + 1
  const isDue = { sql: 's.due_at <= $::timestamptz', value: isoTime(until) }
  const paceSince = isoTime(now - PACE_DAYS * DAY_MS)
  const [accounts, scheduled, work, feeds] = await Promise.all([
    connectedAccounts(db, workspaceId),
    listScheduledPosts(db, { workspaceId, limit }, [isDue, NOT_HELD]),
    postingWorkOf(db, workspaceId, { until: isoTime(until), limit }),
    feedPaces(db, { workspaceId, since: paceSince, limit: MOST_FEEDS }),
  ])
  const [accessEnds, published, isGone] = await Promise.all([
    accessEndsOf(deps, accounts),
    publishedOf(deps, accounts, { workspaceId, now, limit: Math.min(most, MOST_PUBLISHED) }),
    goneAmong(db, workspaceId, scheduled),
  ])
  const cuts = [scheduled[most]?.dueAt, work[most]?.at].filter((at) => at !== undefined)
  return {
    accounts,
    feeds,
    scheduled: scheduled.slice(0, most),
    work: work.slice(0, most),
    ...{ accessEnds, published, isGone },
    cutAt: cuts.toSorted()[0],
  }
}

async function accessEndsOf(
  { vault, access }: PlannedDeps,
  accounts: readonly AccountRow[],
): Promise<Planned['accessEnds']> {
  const ends = new Map<string, number>()
  await eachOf(accounts, READS_AT_ONCE, async ({ id, platform, needsReauth }) => {
    const credentials = needsReauth === null ? await vault.find(id) : undefined
    const end = credentials && accessEnd(access.platform(platform), credentials)
    if (end !== undefined) ends.set(id, Date.parse(end))
  })
  return ends
}

/** Only the log says when a post was published, and not only queued. */
async function publishedOf(
  { db, log, access, isCounted }: PlannedDeps,
  accounts: readonly AccountRow[],
  { workspaceId, now, limit }: { readonly workspaceId: string; readonly now: number; readonly limit: number },
): Promise<Planned['published']> {
  const counted = new Set(
    accounts.filter((account) => access.platform(account.platform).quota && isCounted(account)).map(({ id }) => id),
  )
  const times = new Map<string, number[]>([...counted].map((id) => [id, []]))
  if (counted.size === 0) return times
  const since = isoTime(now - COUNTED_FOR_MS)
  const posts = await latestResults(db, { workspaceId, since, limit })
  const own = posts.filter(({ results }) =>
    Object.values(results)
      .flat()
      .some(({ ok, accountId = '' }) => ok && counted.has(accountId)),
  )
  await eachOf(own, READS_AT_ONCE, async ({ id }) => {
    for (const recorded of await log.read(`${post.category}-${id}`)) {
      const event = eventOf(post, recorded)
      if (event?.type !== 'AccountPublished') continue
      const { accountId, chain } = event.data
      if (!chain || chain.published.length === 1) times.get(accountId)?.push(Date.parse(recorded.metadata.at))
    }
  })
  for (const known of times.values()) known.sort((one, other) => one - other)
  return times
}

async function goneAmong(
  db: Database,
  workspaceId: string,
  posts: readonly ScheduledPostRow[],
): Promise<Planned['isGone']> {
  const urls = posts.flatMap((row) => mediaUrls(versionOf(row).content))
  const named = new Map(urls.flatMap((url) => idIn(url).map((id) => [url, id] as const)))
  if (named.size === 0) return () => false
  const kept = await ownMediaAmong(db, workspaceId, [...new Set(named.values())])
  return (url) => {
    const id = named.get(url)
    return id !== undefined && !kept.has(id)
  }
}

function idIn(url: string): readonly string[] {
  const upload = uploadedFileIn(url)
  return upload ? [upload.mediaId] : []
}
