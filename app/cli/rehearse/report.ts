import type { Rehearsed } from '../../../projections/rebuild/rehearse.ts'
import type { Redefined } from '../../../projections/rebuild/compare-definitions.ts'
import { columns } from '../output.ts'
import type { DueRow } from './agenda.ts'
import type { Rehearsal } from './upgrade.ts'

/** For people: what a start would do, and last what to look into. */
export function rehearsalText(rehearsal: Rehearsal): string {
  const { version, copied, migrations, rebuilt, readModels } = rehearsal
  const header = ['projection', 'events', 'live rows', 'rows', 'compared']
  const rows = readModels.map((one) => [
    ...[one.projection, String(one.events), one.liveRows === undefined ? '-' : String(one.liveRows), String(one.rows)],
    [one.compared, ...(one.redefined ? [changesIn(one.redefined)] : [])].join(': '),
  ])
  const concerns = concernsOf(rehearsal)
  return [
    `Fanfare ${version} on a copy of the database (${copied.megabytes} MB of rows, copied in ${copied.seconds} s).`,
    '',
    migrations.length === 0 ? 'No migration is pending.' : 'Migrations, with their time on the copy:',
    ...migrations.map(({ name, seconds }) => `  ${name}  ${seconds} s`),
    '',
    `Read models, rebuilt from the log in ${rebuilt.seconds} s:`,
    columns([header, ...rows]),
    '',
    ...dueLines(rehearsal),
    '',
    ...(concerns.length === 0 ? ['All is as expected.'] : ['To look into before the upgrade:', ...concerns]),
  ].join('\n')
}

function changesIn({ columns: { added, removed, changed }, rows }: Redefined): string {
  const names = (sign: string, of: readonly string[]) => of.map((name) => `${sign}${name}`)
  const all = [...names('+', added), ...names('-', removed), ...names('~', changed)]
  const counted = `${rows.added} rows added, ${rows.removed} removed, ${rows.changed} changed`
  return [...(all.length > 0 ? [`columns ${all.join(' ')}`] : []), counted].join('; ')
}

function dueLines({ due: { kinds, first, heldBy } }: Rehearsal): readonly string[] {
  if (kinds.length === 0) return ['No work is due.']
  const held = heldBy.length > 0 ? `, held by ${heldBy.join(' and ')}` : ''
  return [
    `Work that is due now and would begin at the start${held}:`,
    ...kinds.map(({ kind, rows, oldest }) => `  ${kind}  ${rows}, the oldest since ${oldest}`),
    ...(first.length > 0
      ? ['The first that others see, that cost money or cannot be undone:', ...first.map(dueLine)]
      : []),
  ]
}

const dueLine = ({ id, dueAt }: DueRow) => `  ${id}  due ${dueAt}`

function concernsOf({ readModels, unreadable, changedWork }: Rehearsal): readonly string[] {
  const work = (what: string, { rows, first }: { readonly rows: number; readonly first: readonly DueRow[] }) =>
    rows === 0 ? [] : [`- ${rows} rows of the agenda ${what}; the first:`, ...first.map(dueLine)]
  return [
    ...readModels.flatMap(modelConcerns),
    ...(unreadable.events === 0
      ? []
      : [
          `- This version cannot read ${unreadable.events} events; the first:`,
          ...unreadable.first.map((one) => `  ${one.type} at ${one.position} in ${one.stream}: ${one.reason}`),
        ]),
    ...(changedWork === undefined
      ? []
      : [
          ...work('are due only with this version and would be done at its start', changedWork.added),
          ...work('are missing with this version and would never be done', changedWork.lost),
        ]),
  ]
}

function modelConcerns({ projection, compared, different = [], halts }: Rehearsed): readonly string[] {
  if (halts !== undefined) return [`- ${halts}. It would halt there.`]
  if (compared !== 'different') return []
  return [
    `- ${projection} differs from the live read model, though both versions define it alike: ${different.join(', ')}`,
  ]
}
