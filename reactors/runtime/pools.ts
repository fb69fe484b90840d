import type { WorkKind } from '../../projections/agenda/agenda.ts'

/** Hands that kinds of work share; one pool at its limit keeps nobody waiting who uses another. */
export const POOLS = [
  'publish',
  'schedule',
  'feed',
  'check',
  'draft',
  'send',
  'render',
  'deliver',
  'redeliver',
] as const
export type Pool = (typeof POOLS)[number]

interface Work {
  readonly pool: Pool
  /** Rows of one lane at work at once. */
  readonly cap: number
  /** What a lane is: by it, hands are shared between workspaces. */
  readonly lane: 'workspace' | 'account' | 'webhook'
}

/**
 * Which hands a kind of work takes, and how many rows of one lane are at work at once, so that none keeps the hands from
 * the others. Firing a post or paying back is quickly done; the server of a feed or a webhook, or an AI, may hang. What is sent again
 * has a lane and hands of its own beside what is sent first.
 */
export const WORK: Readonly<Record<WorkKind, Work>> = {
  publish: { pool: 'publish', cap: 4, lane: 'account' },
  schedule: { pool: 'schedule', cap: 16, lane: 'workspace' },
  feed: { pool: 'feed', cap: 4, lane: 'workspace' },
  recycle: { pool: 'check', cap: 4, lane: 'workspace' },
  comments: { pool: 'check', cap: 4, lane: 'workspace' },
  metrics: { pool: 'check', cap: 4, lane: 'workspace' },
  competitor: { pool: 'check', cap: 4, lane: 'workspace' },
  draft: { pool: 'draft', cap: 1, lane: 'account' },
  send: { pool: 'send', cap: 4, lane: 'account' },
  video: { pool: 'render', cap: 2, lane: 'workspace' },
  refund: { pool: 'schedule', cap: 4, lane: 'workspace' },
  deliver: { pool: 'deliver', cap: 3, lane: 'webhook' },
  redeliver: { pool: 'redeliver', cap: 1, lane: 'webhook' },
}

/** Rows of a pool at work for each of its hands: some need none, because they are fetching media. */
export const ROWS_PER_HAND = 4

/** Each holds a document, and then its items, in memory. */
const MOST_FEEDS = 4

/** The hands of each pool. */
export type PoolSizes = Readonly<Record<Pool, number>>

/** @param concurrency the setting WORKER_CONCURRENCY: of posts */
export function poolSizes(concurrency: number): PoolSizes {
  const share = (part: number) => Math.max(1, Math.round(concurrency * part))
  return {
    publish: concurrency,
    schedule: share(1 / 2),
    feed: Math.min(share(1 / 4), MOST_FEEDS),
    check: share(1 / 4),
    draft: share(1 / 4),
    send: share(1 / 4),
    render: share(1 / 4),
    // Mostly they wait for somebody else's server.
    deliver: share(8),
    redeliver: share(4),
  }
}

/** Something for each pool. */
export function ofPools<T>(make: (pool: Pool) => T): Readonly<Record<Pool, T>> {
  return {
    publish: make('publish'),
    schedule: make('schedule'),
    feed: make('feed'),
    check: make('check'),
    draft: make('draft'),
    send: make('send'),
    render: make('render'),
    deliver: make('deliver'),
    redeliver: make('redeliver'),
  }
}
