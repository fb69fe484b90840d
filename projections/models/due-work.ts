import type { PlatformKey } from '../../domain/core/platform.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { accountIdsOf } from './accounts.ts'
import { agenda, type AgendaRow, type WorkKind } from '../agenda/agenda.ts'
import { rowFrom } from '../engine/columns.ts'

/** The kinds of due work that a workspace is shown. Recurring checks are left out. */
const NEWS = [
  'publish',
  'schedule',
  'recycle',
  'draft',
  'send',
  'video',
  'deliver',
  'redeliver',
] as const satisfies readonly WorkKind[]
/** Kinds by what identifies their concurrency group: the workspace, an account or a webhook (`projections/agenda/*`). */
const BY_WORKSPACE: readonly WorkKind[] = [
  'schedule',
  'pin',
  'recycle',
  'video',
  'feed',
  'comments',
  'metrics',
  'competitor',
  'refund',
  'books',
  'erase',
  'retain',
  'expiry',
  'notify',
]
const BY_ACCOUNT: readonly WorkKind[] = ['publish', 'draft', 'send']
const BY_WEBHOOK: readonly WorkKind[] = ['deliver', 'redeliver']

/** How long (ms) work may be overdue before it counts as late. */
const LATE_MS = 60_000
/** Counting stops at this many rows. */
const MOST_COUNTED = 10_000

export interface DueWorkRow {
  readonly kind: (typeof NEWS)[number]
  readonly id: string
  readonly due_at: string
  readonly platform: PlatformKey | null
}

/**
 * A workspace's due work, found by concurrency group. Reads no other workspace's rows, except those of posts that name an
 * account of this one, which are left out.
 *
 * @param now ms since the epoch
 * @returns the next `limit` rows of the kinds in NEWS, soonest first, and how many rows of any kind are late and not leased
 */
export async function dueWorkOf(
  db: Database,
  workspaceId: string,
  now: number,
  limit: number,
): Promise<{ readonly next: readonly DueWorkRow[]; readonly late: number }> {
  const lanes = await lanesOf(db, workspaceId)
  const own = `from read.agenda a left join read.posts p on a.kind = 'publish' and p.id = a.subject
    where a.lane = any($1) and (a.kind <> 'publish' or p.workspace_id = $2)`
  const [next, late] = await Promise.all([
    db.query<DueWorkRow>(
      `select a.kind, a.subject as id, a.due_at, case when a.kind = 'publish' then split_part(a.part, '/', 1) end as platform
       ${own} and a.kind = any($3) order by a.due_at, a.id limit $4`,
      [lanes, workspaceId, NEWS, limit],
    ),
    db.query<{ count: number }>(
      `select count(*)::int as count from (
         select 1 ${own} and a.due_at < $3 and (a.lease_until is null or a.lease_until < $4) limit $5
       ) late`,
      [lanes, workspaceId, isoTime(now - LATE_MS), isoTime(now), MOST_COUNTED],
    ),
  ])
  return { next: next.rows, late: late.rows[0]?.count ?? 0 }
}

/** `at` is when the row can be worked on, ISO 8601 UTC: once it is due, and not postponed. */
export type PostingWork = AgendaRow & { readonly kind: 'publish' | 'recycle'; readonly at: string }

/** A workspace's due work from which posts come, except scheduled posts, the soonest first. */
export async function postingWorkOf(
  db: Database,
  workspaceId: string,
  { until, limit }: { readonly until: string; readonly limit: number },
): Promise<readonly PostingWork[]> {
  const accounts = await accountIdsOf(db, workspaceId)
  const lanes = [`recycle/${workspaceId}`, ...accounts.map((id) => `publish/${id}`)]
  const { rows } = await db.query<PostingWork>(
    `select ${rowFrom(agenda.columns, 'a')}, greatest(a.due_at, a.lease_until) as at
     from read.agenda a left join read.posts p on a.kind = 'publish' and p.id = a.subject
     where a.lane = any($1) and (a.kind <> 'publish' or p.workspace_id = $2) and a.due_at <= $3
     order by at, a.id limit $4`,
    [lanes, workspaceId, until, limit],
  )
  return rows
}

async function lanesOf(db: Database, workspaceId: string): Promise<readonly string[]> {
  const accounts = await accountIdsOf(db, workspaceId)
  const { rows } = await db.query<{ id: string }>('select id from read.webhooks where workspace_id = $1', [workspaceId])
  const lanes = (kinds: readonly WorkKind[], owners: readonly string[]) =>
    kinds.flatMap((kind) => owners.map((owner) => `${kind}/${owner}`))
  return [
    ...lanes(BY_WORKSPACE, [workspaceId]),
    ...lanes(BY_ACCOUNT, accounts),
    ...lanes(
      BY_WEBHOOK,
      rows.map(({ id }) => id),
    ),
  ]
}

export interface FailingRow {
  readonly kind: 'account' | 'feed' | 'recycling_rule' | 'webhook'
  readonly id: string
  readonly label: string
  readonly error: string
  readonly platform: PlatformKey | null
}

/** What is failing in a workspace until it is fixed or recovers: at most `limit` rows. */
export async function failingOf(db: Database, workspaceId: string, limit: number): Promise<readonly FailingRow[]> {
  const { rows } = await db.query<FailingRow>(
    `select 'account' as kind, a.id, a.label, coalesce(a.needs_reauth, c.error, m.error) as error, a.platform
     from read.accounts a
       left join service.comment_checks c on c.account_id = a.id
       left join service.metric_checks m on m.account_id = a.id
     where a.workspace_id = $1 and a.connected and coalesce(a.needs_reauth, c.error, m.error) is not null
     union all
     select 'feed', id, url, last_error, null from read.feeds
     where workspace_id = $1 and last_error is not null and active
     union all
     select 'recycling_rule', id, source_post_id, last_error, null from read.recycling_rules
     where workspace_id = $1 and last_error is not null and active
     union all
     (select distinct on (w.id) 'webhook', w.id, w.url, d.last_error, null
      from read.webhooks w
        join read.agenda a on a.lane = 'redeliver/' || w.id
        join read.deliveries d on d.id = a.subject
      where w.workspace_id = $1 and d.last_error is not null order by w.id)
     limit $2`,
    [workspaceId, limit],
  )
  return rows
}
