import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { ClientBase } from 'pg'
import type { KeyRing } from '../runtime/key-ring.ts'
import { gather } from './gather.ts'
import { currentKey, unwrapDataKey, wrapDataKey, type WrappedKey } from './master-key.ts'
import { transaction, type Database } from './pool.ts'
import { open, seal } from './seal.ts'

/** A secret: flat JSON. */
export type Secret = Readonly<Record<string, string>>

/**
 * Stores platform tokens and webhook secrets. AES-256-GCM under a data key per workspace, itself wrapped with a master key; each
 * ciphertext is bound to its row, so rows cannot be swapped. Erasing a workspace's data key erases its secrets. Writers hold the
 * data key's row, shared, from before they touch the secret's until they finish, so that a rotation (`rotate-keys.ts`) misses
 * nothing.
 */
export interface Vault {
  /** From now on it is that workspace's. */
  put(workspaceId: string, id: string, secret: Secret): Promise<void>
  /** Stores a secret unless there is one already; returns the one that is stored then. */
  add(workspaceId: string, id: string, secret: Secret): Promise<Secret>
  /** @throws Error if it was encrypted under another key */
  find(id: string): Promise<Secret | undefined>
  /** @throws Error if there is none, or it was encrypted under another key */
  get(id: string): Promise<Secret>
  /** Replaces a stale secret; one caller at a time, later ones get what the first stored. */
  renew(id: string, stale: Secret, renew: (current: Secret) => Promise<Secret>): Promise<Secret>
  /** @param seen the secret as last seen, perhaps with more fields: another one, which was stored since, is kept */
  remove(id: string, seen?: Secret): Promise<void>
}

const secretSchema = z.record(z.string(), z.string())
const REPLACE = `update set workspace_id = excluded.workspace_id, sealed = excluded.sealed,
  version = service.secrets.version + 1`
const FIND = `select id, workspace_id, sealed, wrapped, key_id from service.secrets join service.data_keys using (workspace_id)
  where id = any($1)`
const REMOVE = 'delete from service.secrets where id = $1'
/** Secrets per lookup. */
const MOST_AT_ONCE = 64
/** Decrypted secrets kept in memory. */
const MOST_OPEN = 1_000

type Client = Pick<ClientBase, 'query'>

interface SealedRow extends WrappedKey {
  readonly id: string
  readonly sealed: Buffer
}

/** What a secret's ciphertext is bound to. */
export function boundTo(workspaceId: string, id: string): string {
  return `secret:${workspaceId}:${id}`
}

/**
 * @param renewals separate connections for `renew`, which holds one while it asks the platform: a platform that hangs must not
 *   take everyone else's
 */
export function createVault(db: Database, ring: KeyRing, renewals = db): Vault {
  const heldDataKey = async (client: Client, workspaceId: string): Promise<Buffer | undefined> => {
    const { rows } = await client.query<WrappedKey>(
      'select workspace_id, wrapped, key_id from service.data_keys where workspace_id = $1 for share',
      [workspaceId],
    )
    return rows[0] && unwrapDataKey(ring, rows[0])
  }

  const dataKey = async (client: Client, workspaceId: string): Promise<Buffer> => {
    const found = await heldDataKey(client, workspaceId)
    if (found) return found
    const master = await currentKey(client, ring)
    await client.query(
      'insert into service.data_keys (workspace_id, wrapped, key_id) values ($1, $2, $3) on conflict do nothing',
      [workspaceId, wrapDataKey(master, workspaceId, randomBytes(32)), master.id],
    )
    return (await heldDataKey(client, workspaceId)) ?? Buffer.alloc(0)
  }

  const write = async (
    client: Client,
    workspaceId: string,
    id: string,
    secret: Secret,
    known: 'replaced' | 'kept' = 'replaced',
  ) => {
    const sealed = seal(
      await dataKey(client, workspaceId),
      boundTo(workspaceId, id),
      Buffer.from(JSON.stringify(secret)),
    )
    await client.query(
      `insert into service.secrets (id, workspace_id, sealed) values ($1, $2, $3)
       on conflict (id) do ${known === 'kept' ? 'nothing' : REPLACE}`,
      [id, workspaceId, sealed],
    )
  }

  const opened = async (row: SealedRow): Promise<Secret> => {
    const { id, workspace_id: workspaceId, sealed } = row
    const plain = open(await unwrapDataKey(ring, row), boundTo(workspaceId, id), sealed)
    return secretSchema.parse(JSON.parse(plain.toString()))
  }

  const known = new Map<string, { readonly row: SealedRow; readonly secret: Secret }>()
  /** Reads the row every time, but decrypts it only if it has changed. */
  const openedOnce = async (row: SealedRow): Promise<Secret> => {
    const last = known.get(row.id)
    if (last && isSame(last.row, row)) return last.secret
    const secret = await opened(row)
    known.delete(row.id)
    known.set(row.id, { row, secret })
    const [oldest] = known.keys()
    if (known.size > MOST_OPEN && oldest !== undefined) known.delete(oldest)
    return secret
  }

  const find = gather(async (ids: readonly string[]) => {
    const { rows } = await db.query<SealedRow>({ name: 'secrets', text: FIND, values: [ids] })
    const found = new Map(rows.map((row) => [row.id, row]))
    return ids.map((id) => found.get(id))
  }, MOST_AT_ONCE)

  const existing = (id: string, row: SealedRow | undefined) => {
    if (!row) throw new Error(`there is no secret for ${id}`)
    return row
  }

  return {
    find: async (id) => {
      const row = await find(id)
      return row && openedOnce(row)
    },
    put: (workspaceId, id, secret) => transaction(db, (client) => write(client, workspaceId, id, secret)),
    add: async (workspaceId, id, secret) => {
      await transaction(db, (client) => write(client, workspaceId, id, secret, 'kept'))
      return opened(existing(id, await find(id)))
    },
    get: async (id) => opened(existing(id, await find(id))),
    renew: async (id, stale, renew) => {
      const { workspace_id: workspaceId } = existing(id, await find(id))
      return transaction(renewals, async (client) => {
        await dataKey(client, workspaceId)
        const { rows } = await client.query<SealedRow>(`${FIND} for update of secrets`, [[id]])
        const row = existing(id, rows[0])
        const secret = await opened(row)
        if (JSON.stringify(secret) !== JSON.stringify(stale)) return secret
        const renewed = await renew(secret)
        await write(client, workspaceId, id, renewed)
        return renewed
      })
    },
    remove: async (id, seen) => {
      known.delete(id)
      if (!seen) return void (await db.query(REMOVE, [id]))
      await transaction(db, async (client) => {
        const { rows } = await client.query<SealedRow>(`${FIND} for update of secrets`, [[id]])
        const [row] = rows
        const isSeen = row && Object.entries(await opened(row)).every(([name, value]) => seen[name] === value)
        if (isSeen) await client.query(REMOVE, [id])
      })
    },
  }
}

function isSame(one: SealedRow, other: SealedRow): boolean {
  return one.workspace_id === other.workspace_id && one.sealed.equals(other.sealed) && one.wrapped.equals(other.wrapped)
}
