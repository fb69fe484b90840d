import { createHash } from 'node:crypto'
import { columnName } from './columns.ts'
import type { AnyProjection } from './projection.ts'

/** Hash of a table's definition; a different version means that the table must be rebuilt. */
export function versionOf(projection: AnyProjection): string {
  const known = versions.get(projection)
  if (known !== undefined) return known
  const { name, version, operational, indexes } = projection
  const columns = Object.fromEntries(
    Object.entries(projection.columns).map(([field, { type }]) => [columnName(field), type]),
  )
  const made = JSON.stringify({ name, version, columns, operational, indexes })
  const hash = createHash('sha256').update(made).digest('hex')
  versions.set(projection, hash)
  return hash
}

/** Cached, because projections never change and the projector asks for every batch. */
const versions = new WeakMap<AnyProjection, string>()
