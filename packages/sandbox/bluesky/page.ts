import { invalid } from './refusal.ts'

/** A position in a list sorted by time, newest first. */
export interface Key {
  readonly ms: number
  readonly uri: string
}

interface Row {
  readonly key: Key
}

/**
 * A page of the list, with the start of the next page, if any. New rows do not shift it.
 *
 * @throws StandInRefusal 400 for an invalid cursor
 */
export function pageOf<R extends Row>(
  rows: readonly R[],
  limit: number,
  cursor: string | undefined,
): { readonly page: readonly R[]; readonly cursor?: string } {
  const rest = rows.toSorted((one, other) => later(one.key, other.key)).filter(after(cursor))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return { page, ...(last && rest.length > limit && { cursor: `${last.key.ms}::${last.key.uri}` }) }
}

function later(one: Key, other: Key): number {
  return other.ms - one.ms || (one.uri < other.uri ? 1 : -1)
}

function after(cursor: string | undefined): (row: Row) => boolean {
  if (cursor === undefined) return () => true
  const [, ms, uri] = /^(\d{1,15})::(at:.+)$/.exec(cursor) ?? []
  if (ms === undefined || uri === undefined) throw invalid('Malformed cursor')
  const from = { ms: Number(ms), uri }
  return ({ key }) => later(key, from) > 0
}
