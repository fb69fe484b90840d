import type { WorkKind } from '../projections/agenda.ts'

/** Hands that kinds of work share; one pool at its limit keeps nobody waiting who uses another. */
export const POOLS = ['publish', 'schedule', 'check', 'draft', 'send', 'render', 'deliver', 'redeliver'] as const
export type Pool = (typeof POOLS)[number]

/**
 * Which hands a kind of work takes, and how many rows of one lane are at work at once, so that none keeps the hands from
 * the others. Firing a post or paying back is quickly done; the server of a feed or a webhook, or an AI, may hang. What is sent again has a lane and
 * hands of its own beside what is sent first.
 */
export const WORK: Readonly<Record<WorkKind, { readonly pool: Pool; readonly cap: number }>> = {
  publish: { pool: 'publish', cap: 4 },
  schedule: { pool: 'schedule', cap: 16 },
  feed: { pool: 'check', cap: 4 },
  recycle: { pool: 'check', cap: 4 },
  comments: { pool: 'check', cap: 4 },
  metrics: { pool: 'check', cap: 4 },
  competitor: { pool: 'check', cap: 4 },
  draft: { pool: 'draft', cap: 1 },
  send: { pool: 'send', cap: 4 },
  video: { pool: 'render', cap: 2 },
  refund: { pool: 'schedule', cap: 4 },
  deliver: { pool: 'deliver', cap: 3 },
  redeliver: { pool: 'redeliver', cap: 1 },
}

/** How many rows of each pool are at work at once. */
export type PoolSizes = Readonly<Record<Pool, number>>

/** @param concurrency the setting WORKER_CONCURRENCY: of posts */
export function poolSizes(concurrency: number): PoolSizes {
  const share = (part: number) => Math.max(1, Math.round(concurrency * part))
  return {
    publish: concurrency,
    schedule: share(1 / 2),
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
    check: make('check'),
    draft: make('draft'),
    send: make('send'),
    render: make('render'),
    deliver: make('deliver'),
    redeliver: make('redeliver'),
  }
}
