import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { ClientBase } from 'pg'
import { transaction, type Database } from './pool.ts'

/** A secret: flat JSON. */
export type Secret = Readonly<Record<string, string>>

/**
 * Where platform tokens lie. AES-256-GCM under a data key per workspace, itself wrapped by `ENCRYPTION_KEY`; each
 * ciphertext is bound to its row, so rows can't be swapped. Erasing a workspace's data key erases its secrets.
 */
export interface Vault {
  put(workspaceId: string, id: string, secret: Secret): Promise<void>
  /** @throws Error when there is none, or it was sealed under another key */
  get(id: string): Promise<Secret>
  /** Replaces a secret found stale; one caller at a time, the next ones are given what the first stored. */
  renew(id: string, stale: Secret, renew: (current: Secret) => Promise<Secret>): Promise<Secret>
  remove(id: string): Promise<void>
}

const secretSchema = z.record(z.string(), z.string())
const NONCE = 12
const TAG = 16

function seal(key: Buffer, boundTo: string, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function open(key: Buffer, boundTo: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG })
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(-TAG))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()])
  } catch (cause) {
    throw new Error('a secret can not be opened: ENCRYPTION_KEY is not the one it was sealed with', { cause })
  }
}

/**
 * @param renewals connections of their own for `renew`, which holds one while it asks the platform: a platform that hangs
 *   must not take those of everybody else
 */
export function createVault(db: Database, encryptionKey: Buffer, renewals = db): Vault {
  const dataKey = async (client: Pick<ClientBase, 'query'>, workspaceId: string): Promise<Buffer> => {
    const boundTo = `data-key:${workspaceId}`
    const find = async () =>
      (
        await client.query<{ wrapped: Buffer }>('select wrapped from service.data_keys where workspace_id = $1', [
          workspaceId,
        ])
      ).rows[0]?.wrapped
    const found = await find()
    if (found) return open(encryptionKey, boundTo, found)
    await client.query('insert into service.data_keys (workspace_id, wrapped) values ($1, $2) on conflict do nothing', [
      workspaceId,
      seal(encryptionKey, boundTo, randomBytes(32)),
    ])
    return open(encryptionKey, boundTo, (await find()) ?? Buffer.alloc(0))
  }

  const boundTo = (workspaceId: string, id: string) => `secret:${workspaceId}:${id}`

  const write = async (client: Pick<ClientBase, 'query'>, workspaceId: string, id: string, secret: Secret) => {
    const sealed = seal(
      await dataKey(client, workspaceId),
      boundTo(workspaceId, id),
      Buffer.from(JSON.stringify(secret)),
    )
    await client.query(
      `insert into service.secrets (id, workspace_id, sealed) values ($1, $2, $3)
       on conflict (id) do update set sealed = excluded.sealed, version = service.secrets.version + 1`,
      [id, workspaceId, sealed],
    )
  }

  const read = async (client: Pick<ClientBase, 'query'>, id: string, lock: '' | 'for update' = '') => {
    const { rows } = await client.query<{ workspace_id: string; sealed: Buffer }>(
      `select workspace_id, sealed from service.secrets where id = $1 ${lock}`,
      [id],
    )
    const row = rows[0]
    if (!row) throw new Error(`there is no secret for ${id}`)
    const plain = open(await dataKey(client, row.workspace_id), boundTo(row.workspace_id, id), row.sealed)
    return { workspaceId: row.workspace_id, secret: secretSchema.parse(JSON.parse(plain.toString())) }
  }

  return {
    put: (workspaceId, id, secret) => transaction(db, (client) => write(client, workspaceId, id, secret)),
    get: async (id) => (await read(db, id)).secret,
    renew: (id, stale, renew) =>
      transaction(renewals, async (client) => {
        const { workspaceId, secret } = await read(client, id, 'for update')
        if (JSON.stringify(secret) !== JSON.stringify(stale)) return secret
        const renewed = await renew(secret)
        await write(client, workspaceId, id, renewed)
        return renewed
      }),
    remove: async (id) => void (await db.query('delete from service.secrets where id = $1', [id])),
  }
}
