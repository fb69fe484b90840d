import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { KeyRing, MasterKey } from '../runtime/key-ring.ts'
import { INSTALLATION } from './derivation-secret.ts'
import { currentKey, unwrapDataKey, wrapDataKey, type WrappedKey } from './master-key.ts'
import { LOCK_NOT_AVAILABLE, sqlState } from './errors.ts'
import { LOCKS } from './locks.ts'
import { transaction, type Database } from './pool.ts'
import { open, seal } from './seal.ts'
import { boundTo } from './vault.ts'

/** The progress of a rotation. */
export interface Rotation {
  /** Data keys that were replaced, each with everything encrypted under it. */
  readonly dataKeys: number
  /** Why others were left unchanged. */
  readonly left: readonly string[]
}

/** Postgres may take a moment to notice that a process was killed. */
const LOCK_PATIENCE = '5s'
/** Data keys listed per query, and secrets held in memory. */
const PAGE = 500

/** Runs `work` unless another process is rotating. @returns undefined in that case */
export async function onlyOneRotates<T>(db: Database, work: () => Promise<T>): Promise<T | undefined> {
  // If this connection breaks, another rotation may start; this one then stops at its next data key.
  const client = await db.connect()
  try {
    await client.query(`set lock_timeout = '${LOCK_PATIENCE}'`)
    await client.query('select pg_advisory_lock($1)', [LOCKS.rotation])
  } catch (error) {
    client.release(true)
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return undefined
    throw error
  }
  try {
    return await work()
  } finally {
    // Closing the connection releases the lock, whatever the outcome.
    client.release(true)
  }
}

/**
 * Gives each workspace that is not yet under this master key a new data key wrapped with it, and re-encrypts all of its secrets:
 * anyone who knows the old master key may know the old data keys. Readers and writers continue meanwhile; a killed rotation resumes
 * where it stopped.
 *
 * @param master already named as current (`master-key.ts`), so that no data key is wrapped with another one meanwhile
 * @param progress called after each data key
 */
export async function renewDataKeys(
  db: Database,
  ring: KeyRing,
  master: MasterKey,
  progress: (dataKeys: number) => void,
): Promise<Rotation> {
  const left: string[] = []
  let dataKeys = 0
  for (let last = ''; ;) {
    const { rows } = await db.query<{ workspace_id: string }>(
      `select workspace_id from service.data_keys where key_id is distinct from $1 and workspace_id > $2
       order by workspace_id limit $3`,
      [master.id, last, PAGE],
    )
    for (const { workspace_id: workspaceId } of rows) {
      last = workspaceId
      try {
        await transaction(db, (client) => renewDataKey(client, ring, master, workspaceId))
        progress((dataKeys += 1))
      } catch (error) {
        if (!(error instanceof CannotOpen)) throw error
        left.push(error.message)
      }
    }
    if (rows.length === 0) return { dataKeys, left }
  }
}

class CannotOpen extends Error {}

async function renewDataKey(client: ClientBase, ring: KeyRing, master: MasterKey, workspaceId: string): Promise<void> {
  const { id } = await currentKey(client, ring)
  if (id !== master.id) throw new Error('another rotation has started in the meantime')
  // Writers hold this row, shared, while they write.
  const { rows } = await client.query<WrappedKey>(
    'select workspace_id, wrapped, key_id from service.data_keys where workspace_id = $1 for no key update',
    [workspaceId],
  )
  const [row] = rows
  if (!row) return
  const before = await unwrapDataKey(ring, row).catch(cannotOpen(workspaceId))
  const after = randomBytes(32)
  for (let last = ''; ;) {
    const page = await client.query<{ id: string; sealed: Buffer }>(
      'select id, sealed from service.secrets where workspace_id = $1 and id > $2 order by id limit $3',
      [workspaceId, last, PAGE],
    )
    if (page.rows.length === 0) break
    last = page.rows.at(-1)?.id ?? last
    const sealed = page.rows.map((secret) => sealedAgain(workspaceId, secret, before, after))
    await client.query(
      `update service.secrets as s set sealed = renewed.sealed
       from unnest($1::text[], $2::bytea[]) as renewed (id, sealed) where s.id = renewed.id`,
      [page.rows.map(({ id }) => id), sealed],
    )
  }
  await client.query('update service.data_keys set wrapped = $2, key_id = $3 where workspace_id = $1', [
    workspaceId,
    wrapDataKey(master, workspaceId, after),
    master.id,
  ])
}

function sealedAgain(
  workspaceId: string,
  { id, sealed }: { readonly id: string; readonly sealed: Buffer },
  before: Buffer,
  after: Buffer,
): Buffer {
  const bound = boundTo(workspaceId, id)
  try {
    return seal(after, bound, open(before, bound, sealed))
  } catch (error) {
    return cannotOpen(`${workspaceId}, ${id}`)(error)
  }
}

function cannotOpen(what: string): (error: unknown) => never {
  return (error) => {
    throw new CannotOpen(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** What is encrypted under a master key, and how many data keys are under others. */
export async function sealedUnder(
  db: Database,
  { id }: MasterKey,
): Promise<{ readonly elsewhere: number; readonly workspaces: number; readonly secrets: number }> {
  const { rows } = await db.query<{ elsewhere: number; workspaces: number; secrets: number }>(
    `select (select count(*)::int from service.data_keys where key_id is distinct from $1) as elsewhere,
       (select count(*)::int from service.data_keys where key_id = $1 and workspace_id <> $2) as workspaces,
       (select count(*)::int from service.secrets join service.data_keys using (workspace_id) where key_id = $1) as secrets`,
    [id, INSTALLATION],
  )
  return rows[0] ?? { elsewhere: 0, workspaces: 0, secrets: 0 }
}
