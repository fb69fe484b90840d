import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { Refusal } from '../../../domain/core/errors.ts'
import {
  copyIn,
  copyOut,
  sequencesOf,
  setSequence,
  tablesOf,
  takeSnapshot,
  withCopies,
} from '../../../infra/postgres/dump.ts'
import { isKnownLevel, levelOf, migrate, migrationsUpTo } from '../../../infra/postgres/migrate.ts'
import { layOutCheckpoints } from '../../../projections/engine/checkpoints.ts'

const READ = 'read'

/**
 * Copies all that a new version would start from, as of one moment: the log, the tables of the service and the live read models.
 * The database is read in a transaction that cannot write and blocks nothing.
 *
 * @param to an empty database
 * @param progress called with the number of bytes copied so far
 * @returns the last migration of the database
 */
export async function copyDatabase(
  from: string,
  to: string,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: (bytes: number) => void },
): Promise<string> {
  return withCopies(from, async (live) => {
    await takeSnapshot(live)
    const level = await levelOf(live)
    if (level === undefined) throw refusal('There is nothing to rehearse: the service has not run yet.')
    if (!isKnownLevel(level)) {
      throw refusal(
        `The database is at the migration ${level}, which this version does not have: a newer one runs. Rehearse with that or a later one.`,
      )
    }
    await migrate(to, migrationsUpTo(level))
    await withCopies(to, async (copy) => {
      await layOutReadModels(live, copy)
      let copied = 0
      for (const table of [...(await tablesOf(live)), ...(await tablesOf(live, [READ]))]) {
        signal.throwIfAborted()
        await copyOut(live, table, async (rows) => {
          const counted = new Transform({
            transform: (chunk: Buffer, _, done) => {
              progress((copied += chunk.length))
              done(null, chunk)
            },
          })
          await copyIn(copy, table, (into) => pipeline(rows, counted, into, { signal }))
        })
      }
      for (const sequence of await sequencesOf(live)) await setSequence(copy, sequence)
    })
    return level
  })
}

/** Creates the tables as they are, not as this version defines them; what compares them needs no indexes. */
async function layOutReadModels(live: pg.ClientBase, copy: pg.ClientBase): Promise<void> {
  await layOutCheckpoints(copy, READ)
  const { rows } = await live.query<{ name: string; columns: readonly string[] }>(
    `select c.relname::text as name,
       array_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod) order by attnum) as columns
     from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
     where n.nspname = $1 and relkind = 'r' and relname <> 'checkpoints' and attnum > 0 and not attisdropped
     group by c.relname`,
    [READ],
  )
  for (const { name, columns } of rows) {
    await copy.query(`create table ${READ}.${pg.escapeIdentifier(name)} (${columns.join(', ')})`)
  }
}

function refusal(message: string): Refusal {
  return new Refusal('failed_precondition', message)
}
