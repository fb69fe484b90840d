import type { WorkKind } from '../../projections/agenda/agenda.ts'

/** Worker slots shared by kinds of work; a full pool does not delay work in another. */
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
  'notify',
] as const
export type Pool = (typeof POOLS)[number]

interface Work {
  readonly pool: Pool
  /** Rows of one concurrency group that run at once. */
  readonly cap: number
  /** What forms a concurrency group; worker slots are divided between workspaces by it. */
  readonly lane: 'workspace' | 'account' | 'webhook'
}

/**
 * Which pool each kind of work uses, and how many rows of one concurrency group run at once, so that no group takes all worker
 * slots. Firing a post or paying a refund is quick; the server of a feed or a webhook, or an AI, may hang. Redeliveries have
 * their own concurrency group and worker slots, apart from first deliveries.
 */
export const WORK: Readonly<Record<WorkKind, Work>> = {
  publish: { pool: 'publish', cap: 4, lane: 'account' },
  schedule: { pool: 'schedule', cap: 16, lane: 'workspace' },
  // A file may take half an hour.
  pin: { pool: 'render', cap: 2, lane: 'workspace' },
  feed: { pool: 'feed', cap: 4, lane: 'workspace' },
  recycle: { pool: 'check', cap: 4, lane: 'workspace' },
  comments: { pool: 'check', cap: 4, lane: 'workspace' },
  metrics: { pool: 'check', cap: 4, lane: 'workspace' },
  competitor: { pool: 'check', cap: 4, lane: 'workspace' },
  draft: { pool: 'draft', cap: 1, lane: 'account' },
  send: { pool: 'send', cap: 4, lane: 'account' },
  video: { pool: 'render', cap: 2, lane: 'workspace' },
  media: { pool: 'schedule', cap: 4, lane: 'workspace' },
  refund: { pool: 'schedule', cap: 4, lane: 'workspace' },
  books: { pool: 'schedule', cap: 1, lane: 'workspace' },
  erase: { pool: 'check', cap: 1, lane: 'workspace' },
  retain: { pool: 'check', cap: 4, lane: 'workspace' },
  expiry: { pool: 'schedule', cap: 1, lane: 'workspace' },
  // They concern accounts of any workspace.
  remove: { pool: 'check', cap: 4, lane: 'workspace' },
  deliver: { pool: 'deliver', cap: 3, lane: 'webhook' },
  redeliver: { pool: 'redeliver', cap: 1, lane: 'webhook' },
  notify: { pool: 'notify', cap: 2, lane: 'workspace' },
}

/** Rows in progress per worker slot of a pool: rows that are fetching media need no slot. */
export const ROWS_PER_SLOT = 4

/** Each feed holds a document, and then its items, in memory. */
const MOST_FEEDS = 4

/** The worker slots of each pool. */
export type PoolSizes = Readonly<Record<Pool, number>>

/** @param concurrency the setting WORKER_CONCURRENCY: worker slots for posts */
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
    // These mostly wait for the receivers' servers.
    deliver: share(8),
    redeliver: share(4),
    notify: share(1 / 2),
  }
}

/** Makes one value per pool. */
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
    notify: make('notify'),
  }
}
