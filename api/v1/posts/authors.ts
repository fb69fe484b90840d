import * as z from 'zod'
import { ACTOR_KINDS, serviceName } from '../../../domain/log/activity.ts'
import { oneLine } from '../../../domain/log/describe/wording.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import { authorNames, schedulersOf, type AuthorRow } from '../../../projections/models/authors.ts'

export const author = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum([...ACTOR_KINDS, 'system']).describe('As in GET /activity.'),
  })
  .optional()
  .describe('Who made it. Of a post that was scheduled: who scheduled it.')
type Author = NonNullable<z.infer<typeof author>>
export interface Authored {
  readonly author?: Author | undefined
}

interface Made {
  readonly id: string
  readonly authorId: string | null
  readonly authorKind: AuthorRow['kind'] | null
}

/** The rows of a workspace, with who made each. */
export async function withAuthors<Row extends Made>(
  db: Database,
  workspaceId: string,
  rows: readonly Row[],
): Promise<readonly (Row & Authored)[]> {
  const schedulers = await schedulersOf(
    db,
    rows.flatMap(({ id, authorId }) => (authorId === null ? [id] : [])),
  )
  const authorOf = ({ id, authorId, authorKind: kind }: Made) =>
    authorId === null || kind === null ? schedulers.get(id) : { id: authorId, kind }
  const names = await authorNames(db, workspaceId, [...new Set(rows.flatMap((row) => authorOf(row)?.id ?? []))])
  return rows.map((row) => {
    const by = authorOf(row)
    return by ? { ...row, author: { ...by, name: nameOf(by, names) } } : row
  })
}

function nameOf({ id, kind }: AuthorRow, names: ReadonlyMap<string, string>): string {
  if (kind === 'rule' || kind === 'system') return serviceName(id)
  return oneLine(names.get(id) ?? '') || id
}
