import type { Evidence } from '../evidence.ts'

/** A promise, held against what is known of a run. Pure. */
export interface Rule {
  readonly name: string
  /** Each way in which it was broken, as a sentence. */
  broken(evidence: Evidence): readonly string[]
}

/** Items by the id that each names, in their order. */
export function grouped<T>(items: Iterable<T>, idOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(idOf(item))
    if (group) group.push(item)
    else groups.set(idOf(item), [item])
  }
  return groups
}

/** A field of something that came over the wire. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
