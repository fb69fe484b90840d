import type { Core } from '../../wiring/core.ts'
import type { WorkKind } from '../../../projections/agenda/agenda.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import { findings, type Finding } from './finding.ts'

/** Work in progress: the read model and status that show it, and the agenda kinds that must exist for it. */
const UNDER_WAY: readonly {
  readonly table: string
  readonly status: string
  readonly kinds: readonly WorkKind[]
}[] = [
  { table: 'posts', status: 'processing', kinds: ['publish'] },
  { table: 'scheduled_posts', status: 'pending', kinds: ['schedule'] },
  { table: 'replies', status: 'sending', kinds: ['send'] },
  { table: 'videos', status: 'processing', kinds: ['video'] },
  { table: 'deliveries', status: 'pending', kinds: ['deliver', 'redeliver'] },
]

/**
 * Checks that no work in progress has dropped off the agenda. Rows and agenda change in one statement (decision 11), so a single
 * query sees them in sync.
 */
export async function examinePromises({ db }: Core): Promise<readonly Finding[]> {
  if (await standApart(db)) {
    return [
      {
        ...{ check: 'promises', level: 'warning', finding: 'not checked: the read models are at different events' },
        remedy: 'Wait until they are at the same event (fanfare projections status), then run fanfare doctor again.',
      },
    ]
  }
  const faults = []
  for (const { table, status, kinds } of UNDER_WAY) {
    const { rows } = await db.query<{ id: string }>(
      `select id from read.${table} as t where status = $1
         and not exists (select from read.agenda where subject = t.id and kind = any($2)) order by id`,
      [status, kinds],
    )
    for (const { id } of rows) {
      const remedy = `This is a bug: nothing will continue it. Report it with the output of: fanfare audit ${id} --json`
      faults.push({ finding: `${id} is ${status}, but no work is pending for it`, remedy })
    }
  }
  return findings('promises', 'problem', faults, 'all work in progress is on the agenda')
}

/** A read model that is being rebuilt or has halted cannot be compared with the others. */
async function standApart(db: Database): Promise<boolean> {
  const names = ['agenda', ...UNDER_WAY.map(({ table }) => table)]
  const { rows } = await db.query<{ apart: boolean }>(
    'select count(distinct position) > 1 as apart from read.checkpoints where name = any($1)',
    [names],
  )
  return rows[0]?.apart ?? false
}
