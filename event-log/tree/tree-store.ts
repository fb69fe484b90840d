import type { Database } from '../../infra/postgres/pool.ts'
import type { StoredEvent } from '../codec.ts'
import { START } from '../event-log.ts'
import { HASH_BYTES } from './merkle.ts'

/** A tree as far as it was computed. */
export interface Tree {
  readonly id: number
  readonly size: number
  readonly frontier: readonly Buffer[]
  /** The position of the last event; `START` while it is empty. */
  readonly position: bigint
  /** The last event, with its leaf hash. */
  readonly last: { readonly stream: string; readonly revision: number; readonly leaf: Buffer } | undefined
  /** How the log was found to have changed. */
  readonly fault: string | undefined
}

export interface SignedHead {
  readonly size: number
  readonly note: string
}

interface TreeRow {
  readonly id: string
  readonly size: string
  readonly frontier: Buffer
  readonly position: string | null
  readonly last_stream: string | null
  readonly last_revision: string | null
  readonly last_leaf: Buffer | null
  readonly fault: string | null
}

interface HeadRow {
  readonly size: string
  readonly note: string
}

/** Only from the size that was read: another process may have extended it in the meantime. */
const EXTEND = `update service.trees set size = $3, frontier = $4, position = $5, last_stream = $6, last_revision = $7, last_leaf = $8
  where id = $1 and size = $2`
const ADD_HEAD = 'insert into service.tree_heads (tree_id, size, note) values ($1, $2, $3) on conflict do nothing'
const HEADS = 'select size, note from service.tree_heads where tree_id = $1'

/** The trees and their heads in Postgres (`infra/postgres/migrations/017-tree-heads.ts`). */
export function createTreeStore(db: Database) {
  return {
    /** The tree of the log as it is now. */
    current: async (): Promise<Tree> => {
      const { rows } = await db.query<TreeRow>('select * from service.trees order by id desc limit 1')
      if (!rows[0]) throw new Error('service.trees is empty')
      return treeIn(rows[0])
    },

    /** @returns false if another process has extended it since */
    extend: async ({ id, size }: Tree, next: Tree): Promise<boolean> => {
      const { last } = next
      const { rowCount } = await db.query(EXTEND, [
        ...[id, size, next.size, Buffer.concat(next.frontier), String(next.position)],
        ...[last?.stream, last?.revision, last?.leaf],
      ])
      return rowCount === 1
    },

    /** Keeps one head per size. @returns the note that is stored */
    addHead: async ({ id }: Tree, { size, note }: SignedHead): Promise<string> => {
      await db.query(ADD_HEAD, [id, size, note])
      const { rows } = await db.query<HeadRow>(`${HEADS} and size = $2`, [id, size])
      return rows[0]?.note ?? note
    },

    /** All heads of a tree, smallest first. */
    heads: async ({ id }: Pick<Tree, 'id'>): Promise<readonly SignedHead[]> => {
      const { rows } = await db.query<HeadRow>(`${HEADS} order by size`, [id])
      return rows.map(headIn)
    },

    newestHead: async ({ id }: Pick<Tree, 'id'>): Promise<SignedHead | undefined> => {
      const { rows } = await db.query<HeadRow>(`${HEADS} order by size desc limit 1`, [id])
      return rows[0] && headIn(rows[0])
    },

    /** Nothing is signed while there is a fault. */
    setFault: async ({ id }: Pick<Tree, 'id'>, fault: string | undefined): Promise<void> =>
      void (await db.query('update service.trees set fault = $2 where id = $1 and fault is distinct from $2', [
        id,
        fault ?? null,
      ])),
  }
}

/**
 * Begins another tree, with another key, for a log that was moved or restored: the heads of the previous one say nothing about it.
 *
 * @returns its id
 */
export async function beginTree(db: Pick<Database, 'query'>): Promise<number> {
  const { rows } = await db.query<{ id: string }>(
    'insert into service.trees (id) select max(id) + 1 from service.trees returning id',
  )
  return Number(rows[0]?.id)
}

const TURN = 'select pg_try_advisory_lock($1) as had'

/** Runs `work` unless another process holds the lock. It is held by a connection, so it ends with the process. */
export async function ifFirst(db: Database, lock: string, work: () => Promise<unknown>): Promise<void> {
  const client = await db.connect()
  try {
    const { rows } = await client.query<{ had: boolean }>(TURN, [lock])
    if (rows[0]?.had) await work()
  } finally {
    client.release(true)
  }
}

/** The tree with further events. */
export function extended(
  tree: Tree,
  to: { size: number; frontier: readonly Buffer[] },
  event: StoredEvent,
  leaf: Buffer,
): Tree {
  const { position, stream, revision } = event
  return { ...tree, ...to, position, last: { stream, revision, leaf } }
}

function treeIn(row: TreeRow): Tree {
  const { id, size, frontier, position, last_stream: stream, last_revision: revision, last_leaf: leaf, fault } = row
  return {
    ...{
      id: Number(id),
      size: Number(size),
      position: position === null ? START : BigInt(position),
      fault: fault ?? undefined,
    },
    frontier: Array.from({ length: frontier.length / HASH_BYTES }, (_, index) =>
      frontier.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
    ),
    last: stream !== null && leaf !== null ? { stream, revision: Number(revision), leaf } : undefined,
  }
}

function headIn({ size, note }: HeadRow): SignedHead {
  return { size: Number(size), note }
}
