import type { Readable, Writable } from 'node:stream'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { openPool, WHOLE_TABLE_MS } from './pool.ts'

/*
 * What a backup includes: every table whose loss hurts. Read models are rebuilt from the log, and migrations recreate the tables
 * themselves.
 */

const KEPT = ['log', 'service']
/** Makes one server read what another wrote, whatever their settings. */
const EXCHANGE_SETTINGS = `set statement_timeout = ${WHOLE_TABLE_MS}; set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set client_encoding = 'UTF8';
  set bytea_output = 'hex'; set extra_float_digits = 3; set intervalstyle = 'postgres'`

type Client = Pick<pg.ClientBase, 'query'>

export interface Table {
  readonly schema: string
  readonly name: string
  /** The columns that can be written. */
  readonly columns: readonly string[]
}

export interface Sequence {
  readonly schema: string
  readonly name: string
  /** The last number it issued. */
  readonly value: string
}

export interface DumpedLog {
  /** The id of the first event. */
  readonly firstEvent: string
  /** The position of the last event. */
  readonly position: string
  readonly events: number
}

/**
 * Gives `work` a dedicated connection for copying whole tables.
 *
 * @throws the reason if the connection breaks, otherwise whatever `work` throws
 */
export async function withCopies<T>(connectionString: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const pool = openPool(connectionString, {
    ...{ max: 1, name: 'fanfare backup', onError: () => undefined },
    // The client's timeout would cut off a long COPY; the server has its own.
    queryTimeoutMs: 0,
  })
  const client = await pool.connect()
  let broken: Error | undefined
  client.on('error', (error) => (broken = error))
  try {
    await client.query(EXCHANGE_SETTINGS)
    return await work(client)
  } catch (error) {
    throw broken ?? error
  } finally {
    // Closing the connection ends a COPY that was cut off.
    client.release(true)
    await pool.end()
  }
}

/** Shows the client a single snapshot of the database until it disconnects. Writers are not blocked. */
export async function takeSnapshot(client: Client): Promise<void> {
  await client.query('begin isolation level repeatable read, read only')
  // The first statement takes the snapshot.
  await client.query('select 1')
}

/** The tables in the catalog, each after the tables that it references. @param schemas default: those of a backup */
export async function tablesOf(client: Client, schemas: readonly string[] = KEPT): Promise<readonly Table[]> {
  const { rows } = await client.query<Table>(
    `with recursive kept as (
       select c.oid, n.nspname::text as schema, c.relname::text as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname = any($1)
     ), depths as (
       select oid, 0 as depth from kept
       union
       select f.conrelid, depth + 1 from depths join pg_constraint f on f.confrelid = depths.oid
       where f.contype = 'f' and f.conrelid <> f.confrelid
     )
     select schema, name, array(
       select attname::text from pg_attribute
       where attrelid = kept.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
     ) as columns
     from kept join depths using (oid) group by kept.oid, schema, name order by max(depth), schema, name`,
    [schemas],
  )
  return rows
}

export async function sequencesOf(client: Client): Promise<readonly Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select schemaname::text as schema, sequencename::text as name, last_value::text as value from pg_sequences
     where schemaname = any($1) and last_value is not null order by 1, 2`,
    [KEPT],
  )
  return rows
}

/** `undefined` while the log is empty. */
export async function logOf(client: Client): Promise<DumpedLog | undefined> {
  const { rows } = await client.query<DumpedLog>(
    `select (select id from log.events order by position limit 1) as "firstEvent",
       max(position)::text as position, count(*)::int as events
     from log.events having count(*) > 0`,
  )
  return rows[0]
}

/**
 * The rows of a table in COPY's text format, one per line.
 *
 * @param drain reads them all
 * @returns the number of rows
 */
export async function copyOut(client: Client, table: Table, drain: (rows: Readable) => Promise<void>): Promise<number> {
  const copying = client.query(copyTo(`copy ${inSql(table)} to stdout`))
  await drain(copying)
  // The server reports the row count after the last row, and answers in order.
  await client.query('select 1')
  return copying.rowCount
}

/**
 * Replaces the rows that a migration created.
 *
 * @param pour writes the output of `copyOut`
 * @returns the number of rows
 * @throws the database's error if the table, a column or a row does not fit this migration level
 */
export async function copyIn(client: Client, table: Table, pour: (into: Writable) => Promise<void>): Promise<number> {
  const name = nameInSql(table)
  const { rows } = await client.query<{ filled: boolean }>(`select exists (select from ${name}) as filled`)
  // The log rejects even a delete of no rows.
  if (rows[0]?.filled) await client.query(`delete from ${name}`)
  const copying = client.query(copyFrom(`copy ${inSql(table)} from stdin`))
  await pour(copying)
  return copying.rowCount
}

export async function setSequence(client: Client, sequence: Sequence): Promise<void> {
  await client.query('select setval($1::regclass, $2)', [nameInSql(sequence), sequence.value])
}

function nameInSql({ schema, name }: Pick<Table, 'schema' | 'name'>): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
}

function inSql(table: Table): string {
  return `${nameInSql(table)} (${table.columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`
}
