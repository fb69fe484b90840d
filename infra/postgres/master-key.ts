import type { ClientBase } from 'pg'
import type { KeyRing, MasterKey } from '../runtime/key-ring.ts'
import type { Database } from './pool.ts'
import { open, seal } from './seal.ts'

/*
 * Data keys are wrapped with the master key that `service.installation` names, not with the first in the ring: processes restart
 * one by one, and none may encrypt with a key that another does not have yet. Each row names the key that wraps it.
 */

type Client = Pick<ClientBase, 'query'>

/** A data key as stored. `key_id` is null if a version without key rings wrote it. */
export interface WrappedKey {
  readonly workspace_id: string
  readonly wrapped: Buffer
  readonly key_id: string | null
}

/** This process does not have the master key that wraps a data key, or that is named as current. */
export class UnknownMasterKey extends Error {
  constructor({ source, keys }: KeyRing, id: string | null, options?: ErrorOptions) {
    const has = keys()
      .map((key) => key.id)
      .join(', ')
    const needs = id === null ? 'but it was encrypted with another one' : `but ${id} is required`
    super(`a secret cannot be decrypted: ${source} has the key ${has}, ${needs}`, options)
    this.name = 'UnknownMasterKey'
  }
}

export function wrapDataKey({ key }: MasterKey, workspaceId: string, dataKey: Buffer): Buffer {
  return seal(key, nameOf(workspaceId), dataKey)
}

/** @throws UnknownMasterKey */
export async function unwrapDataKey(ring: KeyRing, row: WrappedKey): Promise<Buffer> {
  const { workspace_id: workspaceId, wrapped, key_id: id } = row
  if (id !== null) return open((await keyOf(ring, id)).key, nameOf(workspaceId), wrapped)
  const key = ring.keys().find((one) => opens(one, row))
  if (!key) throw new UnknownMasterKey(ring, null)
  return open(key.key, nameOf(workspaceId), wrapped)
}

/**
 * The key that encrypts, locked until the transaction ends. If none was named yet, it is the oldest in the ring, or the one that
 * decrypts what an earlier version encrypted.
 *
 * @throws UnknownMasterKey
 */
export async function currentKey(client: Client, ring: KeyRing): Promise<MasterKey> {
  const named = await namedKey(client)
  if (named !== null) return keyOf(ring, named)
  const first = await firstKey(client, ring)
  await client.query('update service.installation set master_key = $1 where master_key is null', [first.id])
  return keyOf(ring, (await namedKey(client)) ?? '')
}

/** Once the transaction commits, no data key is wrapped with another key. */
export async function nameCurrentKey(client: Client, { id }: MasterKey): Promise<void> {
  await client.query(
    `update service.installation set master_key = $1, previous_master_key = master_key
     where master_key is distinct from $1`,
    [id],
  )
}

/** The ids of the current key and the one before it. Null: none was named yet. */
export async function namedKeys(
  db: Pick<Database, 'query'>,
): Promise<{ readonly current: string | null; readonly previous: string | null }> {
  const { rows } = await db.query<{ current: string | null; previous: string | null }>(
    'select master_key as current, previous_master_key as previous from service.installation',
  )
  return rows[0] ?? { current: null, previous: null }
}

async function namedKey(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ master_key: string | null }>(
    // Locks nothing while no key is named: two processes that both name one would deadlock.
    `select master_key from service.installation where master_key is not null for share`,
  )
  return rows[0]?.master_key ?? null
}

async function firstKey(client: Client, ring: KeyRing): Promise<MasterKey> {
  const oldestFirst = ring.keys().toReversed()
  const { rows } = await client.query<WrappedKey>('select workspace_id, wrapped, key_id from service.data_keys')
  const found = rows.length === 0 ? oldestFirst[0] : oldestFirst.find((key) => rows.some((row) => opens(key, row)))
  if (!found) throw new UnknownMasterKey(ring, null)
  return found
}

async function keyOf(ring: KeyRing, id: string): Promise<MasterKey> {
  const find = () => ring.keys().find((key) => key.id === id)
  if (!find()) await ring.reload()
  const found = find()
  if (!found) throw new UnknownMasterKey(ring, id)
  return found
}

function opens({ key }: MasterKey, { workspace_id: workspaceId, wrapped }: WrappedKey): boolean {
  try {
    open(key, nameOf(workspaceId), wrapped)
    return true
  } catch {
    return false
  }
}

function nameOf(workspaceId: string): string {
  return `data-key:${workspaceId}`
}
