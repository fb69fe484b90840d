import type { Core } from '../../wiring/core.ts'
import { poolSizes, POOLS, WORK, type Pool } from '../../../reactors/runtime/pools.ts'
import { hasShare } from '../../../infra/runtime/shares.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { findings } from './finding.ts'

interface Use {
  readonly kind: keyof typeof WORK
  readonly workspace: string
  readonly at_work: number
  readonly waiting: number
}

/** Leased and leasable work by workspace: see `whose` in `service.claim`. */
const USE = `
  with lanes as (
    select kind, lane, count(*) filter (where lease_token is not null and lease_until > $1)::int as at_work,
      count(*) filter (where greatest(due_at, lease_until) <= $1)::int as waiting
    from read.agenda where due_at <= $1 group by kind, lane
  )
  select kind, coalesce(case $2::json->kind->>'lane'
      when 'account' then (select workspace_id from read.accounts where id = name)
      when 'webhook' then (select workspace_id from read.webhooks where id = name)
      else name
    end, lane) as workspace, sum(at_work)::int as at_work, sum(waiting)::int as waiting
  from lanes cross join lateral (select substr(lane, length(kind) + 2) as name) named
  where at_work > 0 group by 1, 2`

/** Workspaces that use their whole share of a pool's worker slots while more of their work waits. */
export async function examineShares({ db, clock, settings }: Core) {
  const { rows } = await db.query<Use>(USE, [isoTime(clock.now()), JSON.stringify(WORK)])
  const sizes = poolSizes(settings.WORKER_CONCURRENCY)
  const full = POOLS.flatMap((pool) => {
    const inPool = rows.filter(({ kind }) => WORK[kind].pool === pool)
    return [...new Set(inPool.map(({ workspace }) => workspace))].flatMap((workspace) => {
      const own = inPool.filter((use) => use.workspace === workspace)
      const atWork = sum(own.map(({ at_work }) => at_work))
      const waiting = sum(own.map(({ waiting }) => waiting))
      return waiting > 0 && !hasShare(atWork, sizes[pool] - atWork) ? [{ pool, workspace, atWork, waiting }] : []
    })
  })
  return findings(
    'shares',
    'warning',
    full.map(({ pool, workspace, atWork, waiting }) => ({
      finding: `workspace ${workspace} uses its full share of ${WORK_OF[pool]}: ${atWork} running, ${waiting} waiting`,
      remedy: 'Other workspaces are served first. Look for slow media hosts or servers, or raise WORKER_CONCURRENCY.',
    })),
    'no workspace uses its full share of a pool',
  )
}

const WORK_OF: Readonly<Record<Pool, string>> = {
  publish: 'publishing',
  schedule: 'scheduling',
  feed: 'checking feeds',
  check: 'checking comments and metrics',
  draft: 'drafting replies',
  send: 'sending replies',
  render: 'rendering videos',
  notify: 'sending notifications',
  deliver: 'webhook deliveries',
  redeliver: 'webhook retries',
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
