import type { Command } from 'commander'
import { asCsv, CSV_HEADER } from '../../api/v1/activity/activity-csv.ts'
import { activityQuery, type ActivityEntry } from '../../api/v1/activity/activity-schemas.ts'
import { actorOf } from '../../api/v1/activity/actor-of.ts'
import { activityEntries } from '../../api/v1/activity/entries.ts'
import { check } from '../../api/http/validation.ts'
import { ACTIVITY_KINDS } from '../../domain/log/activity.ts'
import { listActivity, type ActivityPage } from '../../projections/models/activity.ts'
import type { Core } from '../wiring/core.ts'
import { columns, type Output } from './output.ts'
import { inWorkspace, json, run, withCore } from './run.ts'
import { oneWorkspace } from './workspaces.ts'

interface Filters {
  readonly workspace: string
  readonly actor?: string
  readonly kind?: string
  readonly from?: string
  readonly to?: string
}

/** Listed at once. */
const MOST_LISTED = 1_000

/** `fanfare activity` (docs/audit.md). */
export function activityCommand(program: Command): void {
  program
    .command('activity')
    .description(`list who did what in a workspace, newest first: the latest ${MOST_LISTED} entries, or all as CSV`)
    .addOption(inWorkspace())
    .option('--actor <actor>', 'a user, a key, people, user, key, agent, cli or rule')
    .option('--kind <kinds>', `one or more of ${ACTIVITY_KINDS.join(',')}`)
    .option('--from <time>', 'a time such as 2026-05-31T16:00:00Z')
    .option('--to <time>', 'until this time')
    .option('--csv', 'print all of it as CSV')
    .addOption(json())
    .action(({ csv, json, ...filters }: Output & Filters & { readonly csv?: true }) => {
      if (csv) return withCore((core) => printCsv(core, filters))
      return run({ ...(json && { json }) }, async (core) => {
        const { value } = await pagesOf(core, filters).next()
        const entries = value ?? []
        return json || entries.length === 0 ? entries : shown(entries)
      })
    })
}

/** @throws Refusal naming the filter that is not valid */
export async function* pagesOf(
  core: Pick<Core, 'db' | 'log'>,
  { workspace, ...given }: Filters,
): AsyncGenerator<readonly ActivityEntry[]> {
  const { actor, kind, from, to } = check(activityQuery, given, 'filters')
  const { id: workspaceId } = await oneWorkspace(core, workspace)
  const page: ActivityPage = {
    ...{ workspaceId, limit: MOST_LISTED, kinds: kind ?? ACTIVITY_KINDS, from, to },
    actor: actor === undefined ? undefined : await actorOf(core.db, workspaceId, actor),
  }
  let after: ActivityPage['after']
  do {
    const rows = await listActivity(core.db, { ...page, after })
    const entries = await activityEntries(core, rows, { workspaceId, readerId: undefined })
    yield entries
    after = rows.length === MOST_LISTED ? entries.at(-1) : undefined
  } while (after)
}

async function printCsv(core: Core, filters: Filters): Promise<void> {
  await core.projector.catchUp()
  process.stdout.write(CSV_HEADER)
  for await (const entries of pagesOf(core, filters)) process.stdout.write(entries.map(asCsv).join(''))
}

export function shown(entries: readonly ActivityEntry[]): string {
  return columns(
    entries.map(({ at, by, kind, summary, subject }) => {
      const isNamed = subject.name === null || summary.includes(subject.name)
      return [at, `${by.kind} ${by.name}`, kind, isNamed ? summary : `${subject.name}: ${summary}`]
    }),
  )
}
