import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Schema } from '../engine/checkpoints.ts'
import { columnNames, type ColumnType } from '../engine/columns.ts'
import type { AnyProjection, Row } from '../engine/projection.ts'
import { valueOf } from '../engine/write-batch.ts'

/** Characters sent to the database at once. */
const CHUNK = 64 * 1024
/** The special characters of COPY's text format, and their escapes. */
const SPECIAL = /[\\\n\r\t]/g
const WRITTEN: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Writes new rows to a table, in half the time of an insert. */
export async function copyRows(
  client: ClientBase,
  schema: Schema,
  projection: AnyProjection,
  rows: readonly Row[],
): Promise<void> {
  const columns = columnNames(projection.columns).join(', ')
  const copying = client.query(copyFrom(`copy ${schema}.${projection.name} (${columns}) from stdin`))
  await pipeline(Readable.from(chunks(projection, rows)), copying)
}

function* chunks({ columns }: AnyProjection, rows: readonly Row[]): Generator<Buffer> {
  const cells = Object.entries(columns).map(([field, { type }]) => cellOf(field, type))
  let chunk = ''
  for (const row of rows) {
    let before = ''
    for (const cell of cells) {
      chunk += before + cell(row)
      before = '\t'
    }
    chunk += '\n'
    if (chunk.length < CHUNK) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  if (chunk !== '') yield Buffer.from(chunk)
}

function cellOf(field: string, type: ColumnType): (row: Row) => string {
  const cell = valueOf(field, type)
  return (row) => {
    const value = cell(row)
    if (value === null) return '\\N'
    return typeof value === 'string' ? value.replace(SPECIAL, (found) => WRITTEN[found] ?? found) : String(value)
  }
}
