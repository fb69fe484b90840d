import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { ClientBase } from 'pg'
import { gather } from './gather.ts'
import { transaction, type Database } from './pool.ts'
import { open, seal } from './seal.ts'

/** A secret: flat JSON. */
export type Secret = Readonly<Record<string, string>>

/**
 * Where platform tokens and the secrets of webhooks lie. AES-256-GCM under a data key per workspace, itself wrapped by `ENCRYPTION_KEY`; each
 * ciphertext is bound to its row, so rows can't be swapped. Erasing a workspace's data key erases its secrets.
 */
export interface Vault {
  put(workspaceId: string, id: string, secret: Secret): Promise<void>
  /** Puts a secret down where there is none yet; returns the one that is there then. */
  add(workspaceId: string, id: string, secret: Secret): Promise<Secret>
  /** @throws Error when it was sealed under another key */
  find(id: string): Promise<Secret | undefined>
  /** @throws Error when there is none, or it was sealed under another key */
  get(id: string): Promise<Secret>
  /** Replaces a secret found stale; one caller at a time, the next ones are given what the first stored. */
  renew(id: string, stale: Secret, renew: (current: Secret) => Promise<Secret>): Promise<Secret>
  remove(id: string): Promise<void>
}

const secretSchema = z.record(z.string(), z.string())
const REPLACE = 'update set sealed = excluded.sealed, version = service.secrets.version + 1'
const FIND = `select id, workspace_id, sealed, wrapped from service.secrets join service.data_keys using (workspace_id)
  where id = any($1)`
/** Secrets that are looked up in one go. */
const MOST_AT_ONCE = 64
/** Secrets that stay open. */
const MOST_OPEN = 1_000

interface SealedRow {
  readonly id: string
  readonly workspace_id: string
  readonly sealed: Buffer
  readonly wrapped: Buffer
}

/**
 * @param renewals connections of their own for `renew`, which holds one while it asks the platform: a platform that hangs
 *   must not take those of everybody else
 */
export function createVault(db: Database, encryptionKey: Buffer, renewals = db): Vault {
  const keyName = (workspaceId: string) => `data-key:${workspaceId}`
  const unwrapped = (workspaceId: string, wrapped: Buffer) => open(encryptionKey, keyName(workspaceId), wrapped)

  const dataKey = async (client: Pick<ClientBase, 'query'>, workspaceId: string): Promise<Buffer> => {
    const find = async () =>
      (
        await client.query<{ wrapped: Buffer }>('select wrapped from service.data_keys where workspace_id = $1', [
          workspaceId,
        ])
      ).rows[0]?.wrapped
    const found = await find()
    if (found) return unwrapped(workspaceId, found)
    await client.query('insert into service.data_keys (workspace_id, wrapped) values ($1, $2) on conflict do nothing', [
      workspaceId,
      seal(encryptionKey, keyName(workspaceId), randomBytes(32)),
    ])
    return unwrapped(workspaceId, (await find()) ?? Buffer.alloc(0))
  }

  const boundTo = (workspaceId: string, id: string) => `secret:${workspaceId}:${id}`

  const write = async (
    client: Pick<ClientBase, 'query'>,
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

  const opened = (row: SealedRow): Secret => {
    const { id, workspace_id: workspaceId, sealed, wrapped } = row
    const plain = open(unwrapped(workspaceId, wrapped), boundTo(workspaceId, id), sealed)
    return secretSchema.parse(JSON.parse(plain.toString()))
  }

  const known = new Map<string, { readonly row: SealedRow; readonly secret: Secret }>()
  /** What lies in the database is looked at each time; it is opened only where it is not what it was. */
  const openedOnce = (row: SealedRow): Secret => {
    const last = known.get(row.id)
    if (last && isSame(last.row, row)) return last.secret
    const secret = opened(row)
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
    renew: (id, stale, renew) =>
      transaction(renewals, async (client) => {
        const { rows } = await client.query<SealedRow>(`${FIND} for update of secrets`, [[id]])
        const row = existing(id, rows[0])
        const secret = opened(row)
        if (JSON.stringify(secret) !== JSON.stringify(stale)) return secret
        const renewed = await renew(secret)
        await write(client, row.workspace_id, id, renewed)
        return renewed
      }),
    remove: async (id) => {
      known.delete(id)
      await db.query('delete from service.secrets where id = $1', [id])
    },
  }
}

function isSame(one: SealedRow, other: SealedRow): boolean {
  return one.workspace_id === other.workspace_id && one.sealed.equals(other.sealed) && one.wrapped.equals(other.wrapped)
}
