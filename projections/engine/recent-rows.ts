import type { AnyProjection, Row } from './projection.ts'
import type { TableChange } from './write-batch.ts'

/**
 * The rows a projector wrote last. While no other process moves its checkpoints, they match the tables and need not be read
 * back for the next event of the same post.
 */
export interface RecentRows {
  get(projection: AnyProjection, id: string): Row | undefined
  keep(change: TableChange): void
  /** Call when another process may have changed the tables. */
  forget(): void
}

type Generation = Map<string, Row>

/** Characters per generation; each table has two. */
const MOST = 1024 * 1024

export function recentRows(): RecentRows {
  let tables = new Map<string, { young: Generation; old: Generation; size: number }>()
  return {
    get: ({ name }, id) => {
      const table = tables.get(name)
      return table?.young.get(id) ?? table?.old.get(id)
    },
    keep: ({ projection: { name }, created, changed, gone, erased }) => {
      if (erased.length > 0) tables.delete(name)
      const table = tables.get(name) ?? { young: new Map(), old: new Map(), size: 0 }
      tables.set(name, table)
      for (const id of gone) {
        table.young.delete(id)
        table.old.delete(id)
      }
      for (const row of [...created, ...changed]) {
        table.size += sizeOf(row)
        if (table.size > MOST) Object.assign(table, { young: new Map(), old: table.young, size: sizeOf(row) })
        table.young.set(row.id, row)
      }
    },
    forget: () => {
      tables = new Map()
    },
  }
}

/** Approximate size in characters. Runs for every row written, so it does not serialize. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 8
  for (const inner of Object.values(value)) size += sizeOf(inner)
  return size
}
