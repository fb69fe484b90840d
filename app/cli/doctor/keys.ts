import { namedKeys } from '../../../infra/postgres/master-key.ts'
import type { Core } from '../../wiring/core.ts'
import { fault, findings, type Fault, type Finding } from './finding.ts'

const ROTATE = 'Run: fanfare keys rotate-master'

/** Whether this process has the master keys that the database needs. */
export async function examineKeys({ db, ring }: Pick<Core, 'db' | 'ring'>): Promise<readonly Finding[]> {
  const { current, previous } = await namedKeys(db)
  // Data keys wrapped by a version without key rings name no master key; the check of each secret shows whether they open.
  const { rows } = await db.query<{ id: string | null; n: number }>(
    'select key_id as id, count(*)::int as n from service.data_keys group by key_id order by key_id',
  )
  const had = ring.keys().map(({ id }) => id)
  const lacking = rows.filter(({ id }) => id !== null && !had.includes(id))
  const problems = lacking.map(({ id, n }) =>
    fault(
      'keys',
      `${n} workspaces are encrypted under the master key ${id}, but ${ring.source} has ${had.join(', ')}`,
      `Add it to ${ring.source}, or see "A lost key" in docs/operations.md.`,
    ),
  )
  if (problems.length > 0) return problems
  const left = rows.filter(({ id }) => id !== current && (id !== null || previous !== null))
  const others = left.reduce((sum, { n }) => sum + n, 0)
  const well = current === null ? 'nothing is encrypted yet' : `everything is encrypted under the master key ${current}`
  return findings('keys', 'warning', disagreements(ring, had, current, others), well)
}

function disagreements(
  { file, source }: Core['ring'],
  [first, ...rest]: readonly string[],
  current: string | null,
  others: number,
): readonly Fault[] {
  if (others > 0) {
    const finding = `a rotation to the master key ${current} was not finished: ${others} workspaces still use another`
    return [{ finding, remedy: ROTATE }]
  }
  if (rest.length === 0) return []
  if (first !== current)
    return [{ finding: `${source} begins with ${first}, but ${current} is in use`, remedy: ROTATE }]
  const remedy = file ? ROTATE : `Restart every process with only the key ${current}.`
  return [{ finding: `${source} has ${rest.join(', ')}, which is no longer needed`, remedy }]
}
