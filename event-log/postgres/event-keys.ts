import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Subject } from '../../domain/core/personal-data.ts'
import { isUnavailable } from '../../infra/postgres/errors.ts'
import { gather } from '../../infra/postgres/gather.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Secret, Vault } from '../../infra/postgres/vault.ts'
import { LogUnavailable } from '../event-log.ts'
import type { EventKey, EventKeys } from '../sealing.ts'

interface KeyRow {
  readonly stream: string
  readonly workspace_id: string
  readonly secret: Buffer
  readonly erasure_id: string | null
}

interface Wanted {
  readonly stream: string
  readonly subject: Subject
  readonly at: string
}

/** In one order, because two processes that create the same keys would each wait for the other's. */
const ADD = `insert into service.event_keys (stream, workspace_id, secret, account_id, comment_id, author, author_id, created_at)
  select * from unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::bytea[], $7::bytea[],
    $8::timestamptz[]) order by 1
  on conflict do nothing`
/** Unnamed: a plan cached while there are few keys would read all of them once there are many. */
const FIND = 'select stream, workspace_id, secret, erasure_id from service.event_keys where stream = any($1)'
/** A user's name may be used again in another workspace. */
const RENEW = `update service.event_keys
  set secret = $2, workspace_id = $3, created_at = $4, erasure_id = null, erased_at = null
  where stream = $1 and (erasure_id is not null or workspace_id <> $3)`
/** Keys per insert. */
const MOST_AT_ONCE = 512
/** Keys kept in memory. */
const MOST_KNOWN = 10_000

/**
 * A stream's key derives from a random secret in its row and a secret of its workspace in the vault, so that a copy of the table
 * opens nothing, and a rotation of the master key leaves the rows as they are. Authors are stored as hashes under the same secret
 * of the workspace: they can be looked for, but not read. An erased key may be used for some moments more by a process that knows
 * it.
 *
 * @param options.cacheMs for how long a process uses a key without asking whether it still exists
 */
export function createEventKeys(
  { db, vault, now }: { readonly db: Database; readonly vault: Vault; readonly now: () => number },
  options: { readonly cacheMs?: number } = {},
): EventKeys {
  const { cacheMs = 5_000 } = options
  const roots = createRoots(vault)
  const known = new Map<string, { readonly key: EventKey | 'erased'; readonly until: number }>()

  const remember = (stream: string, key: EventKey | 'erased') => {
    known.delete(stream)
    known.set(stream, { key, until: now() + cacheMs })
    const [oldest] = known.keys()
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
  }

  const keyIn = async ({ workspace_id: workspaceId, secret, erasure_id: erasureId }: KeyRow) => {
    if (erasureId !== null) return 'erased'
    const root = await roots.find(workspaceId)
    const id = createHash('sha256').update(secret).digest('base64url').slice(0, 12)
    return root ? { id, key: derived(root, 'key', secret) } : 'erased'
  }

  const load = async (streams: readonly string[]): Promise<ReadonlyMap<string, EventKey | 'erased'>> => {
    const { rows } = await db.query<KeyRow>(FIND, [streams])
    const found = new Map<string, EventKey | 'erased'>()
    for (const row of rows) {
      const key = await keyIn(row)
      found.set(row.stream, key)
      remember(row.stream, key)
    }
    return found
  }

  const add = gather(async (wanted: readonly Wanted[]) => {
    const rows: (readonly (string | Buffer | undefined)[])[] = []
    for (const { stream, subject, at } of wanted) {
      const { workspaceId, accountId, commentId, author, authorId } = subject
      const root = await roots.create(workspaceId)
      const authors = [author, authorId].map((name) => (name === undefined ? name : authorHash(root, name)))
      rows.push([stream, workspaceId, randomBytes(32), accountId, commentId, ...authors, at])
    }
    await db.query(
      ADD,
      Array.from({ length: 8 }, (_, column) => rows.map((row) => row[column] ?? null)),
    )
    const found = await load(wanted.map(({ stream }) => stream))
    return wanted.map(({ stream }) => found.get(stream))
  }, MOST_AT_ONCE)

  return {
    create: async (stream, subject, { at, again = false }) => {
      if (again) {
        await orUnavailable(db.query(RENEW, [stream, randomBytes(32), subject.workspaceId, at]))
        known.delete(stream)
      }
      const key = await orUnavailable(add({ stream, subject, at }))
      if (!key) throw new Error(`the key of ${stream} was deleted while it was created`)
      return key
    },
    find: async (streams) => {
      const time = now()
      const fresh = streams.flatMap((stream): [string, EventKey | 'erased'][] => {
        const one = known.get(stream)
        return one && one.until > time ? [[stream, one.key]] : []
      })
      if (fresh.length === streams.length) return new Map(fresh)
      const have = new Map(fresh)
      const rest = await orUnavailable(load(streams.filter((stream) => !have.has(stream))))
      return new Map([...have, ...rest])
    },
  }
}

/** The secrets of workspaces, from which the keys of their events derive. */
export function createRoots(vault: Vault) {
  const known = new Map<string, Buffer>()

  /** Undefined when the workspace has none: then nothing that was encrypted under it can be read. */
  const find = async (workspaceId: string): Promise<Buffer | undefined> => {
    const root = known.get(workspaceId)
    if (root) return root
    const found = await vault.find(rootId(workspaceId))
    if (found) known.set(workspaceId, rootIn(found))
    return known.get(workspaceId)
  }

  const create = async (workspaceId: string): Promise<Buffer> => {
    const found = await find(workspaceId)
    if (found) return found
    const created = { root: randomBytes(32).toString('base64') }
    const root = rootIn(await vault.add(workspaceId, rootId(workspaceId), created))
    known.set(workspaceId, root)
    return root
  }

  return { find, create }
}

/** What the table of keys has instead of an author's name or id. */
export function authorHash(root: Buffer, author: string): Buffer {
  return derived(root, 'author', author)
}

async function orUnavailable<T>(keys: Promise<T>): Promise<T> {
  try {
    return await keys
  } catch (error) {
    throw isUnavailable(error) ? new LogUnavailable('the keys of events cannot be reached', { cause: error }) : error
  }
}

function derived(root: Buffer, purpose: 'key' | 'author', of: string | Buffer): Buffer {
  return createHmac('sha256', root).update(`${purpose}\n`).update(of).digest()
}

/** The id of a workspace's secret in the vault. */
function rootId(workspaceId: string): string {
  return `events_${workspaceId}`
}

function rootIn({ root = '' }: Secret): Buffer {
  return Buffer.from(root, 'base64')
}
