import { account } from '../../domain/account/account.ts'
import { streamName } from '../../domain/core/event.ts'
import { post } from '../../domain/post/post.ts'
import { dueAtMoment } from '../../domain/post/wall-time.ts'
import type { Core } from '../../app/wiring/core.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { beginStream } from './begin-stream.ts'
import { hands } from './pace.ts'
import { ids, postTo } from './post.ts'

export interface ConnectedAccount {
  readonly id: string
  readonly workspaceId: string
}

/** A published post. Times are ms since the epoch, those of the steps as recorded in the log. */
export interface FiredPost {
  readonly stream: string
  readonly dueAt: number
  readonly queuedAt: number
  readonly startedAt: number
}

const APPENDS_AT_ONCE = 64
const LOOK_EVERY_MS = 100
/** Counted from when the last one is due. */
const PATIENCE_MS = 60_000
const STEPS = ['PostQueued', 'PublishStarted', 'PostFinished'] as const

/** Connects accounts in new workspaces. */
export async function connectAccounts(
  core: Core,
  { workspaces, each }: { readonly workspaces: number; readonly each: number },
): Promise<readonly ConnectedAccount[]> {
  const workspaceIds = Array.from({ length: workspaces }, () => resourceId('ws', ids.ulid()))
  return connectIn(core, workspaceIds, each)
}

/** Connects this many accounts in each of these workspaces. */
export async function connectIn(
  { log }: Core,
  workspaceIds: readonly string[],
  each: number,
): Promise<readonly ConnectedAccount[]> {
  const hand = hands(APPENDS_AT_ONCE)
  const connect = async (workspaceId: string) => {
    const id = resourceId('acc', ids.ulid())
    const data = { workspaceId, platform: 'bluesky' as const, externalId: `did:plc:${id}`, label: 'bench' }
    await beginStream(log, account, id, { type: 'AccountConnected', data })
    return { id, workspaceId }
  }
  const owners = workspaceIds.flatMap((workspaceId) => Array.from({ length: each }, () => workspaceId))
  return Promise.all(owners.map((workspaceId) => hand(() => connect(workspaceId))))
}

/**
 * Schedules a post for each of these moments (ms since the epoch), alternating between the accounts; returns their streams.
 *
 * @throws Error when the read models do not contain them before the first is due
 */
export async function schedule(
  { log, seen, clock }: Core,
  accounts: readonly ConnectedAccount[],
  moments: readonly number[],
): Promise<readonly string[]> {
  const hand = hands(APPENDS_AT_ONCE)
  const first = Math.min(...moments)
  const put = async (moment: number, index: number) => {
    const { id: accountId, workspaceId } = accounts[index % accounts.length] ?? { id: '', workspaceId: '' }
    const { hashtags, ...content } = postTo(accountId)
    const data = {
      ...{ workspaceId, ...content, captionOverrides: {} },
      ...{ selections: { bluesky: [accountId] }, hashtags: [...hashtags] },
      ...dueAtMoment(isoTime(moment), 'UTC'),
    }
    const id = resourceId('post', ids.ulid())
    const { position } = await beginStream(log, post, id, { type: 'PostScheduled', data })
    return { stream: streamName(post, id), position }
  }
  const scheduled = await Promise.all(moments.map((moment, index) => hand(() => put(moment, index))))
  const last = scheduled.reduce((max, { position }) => (position > max ? position : max), 0n)
  if (!(await seen.waitFor(last, first - clock.now()))) throw new Error('posts came due before they were projected')
  return scheduled.map(({ stream }) => stream)
}

/**
 * Waits until the posts are published.
 *
 * @throws Error when one takes more than a minute, has a step twice, or was published before its time
 */
export async function published(
  { db, clock }: Core,
  streams: readonly string[],
  moments: readonly number[],
): Promise<readonly FiredPost[]> {
  const deadline = Math.max(...moments) + PATIENCE_MS
  for (let steps = await stepsOf(db, streams); ; steps = await stepsOf(db, streams)) {
    if (steps.size >= streams.length * STEPS.length) {
      return streams.map((stream, index) => fired(stream, moments[index] ?? NaN, steps))
    }
    if (clock.now() > deadline) throw new Error(`${steps.size} of ${streams.length * STEPS.length} steps were recorded`)
    await clock.sleep(LOOK_EVERY_MS)
  }
}

function fired(stream: string, dueAt: number, steps: ReadonlyMap<string, number>): FiredPost {
  const at = (step: (typeof STEPS)[number]) => steps.get(`${stream} ${step}`) ?? NaN
  const [queuedAt, startedAt] = [at('PostQueued'), at('PublishStarted')]
  if (!(queuedAt >= dueAt && startedAt >= queuedAt)) throw new Error(`${stream} was not published on time`)
  return { stream, dueAt, queuedAt, startedAt }
}

/** When each step was recorded, by stream and type. */
async function stepsOf(db: Core['db'], streams: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ name: string; at: string; times: number }>(
    `select stream || ' ' || type as name, min(recorded_at) as at, count(*)::int as times from log.events
     where stream = any($1) and type = any($2) and coalesce(data->>'status', 'published') = 'published'
     group by stream, type`,
    [streams, STEPS],
  )
  const twice = rows.find(({ times }) => times > 1)
  if (twice) throw new Error(`${twice.name} happened ${twice.times} times`)
  return new Map(rows.map(({ name, at }) => [name, Date.parse(at)]))
}
