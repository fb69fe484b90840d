import { createHash } from 'node:crypto'
import type { AnyProjection } from './projection.ts'

/** What a table is made of; another version means that it must be built anew. */
export function versionOf(projection: AnyProjection): string {
  const known = versions.get(projection)
  if (known !== undefined) return known
  const { name, version, columns, operational, indexes } = projection
  const made = JSON.stringify({ name, version, columns, operational, indexes })
  const hash = createHash('sha256').update(made).digest('hex')
  versions.set(projection, hash)
  return hash
}

/** A projection never changes, and the projector asks at every batch. */
const versions = new WeakMap<AnyProjection, string>()
