import { hkdfSync } from 'node:crypto'
import { INSTALLATION } from '../../infra/postgres/derivation-secret.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { open } from '../../infra/postgres/seal.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { isoTime, type Clock } from '../../infra/runtime/clock.ts'
import { ulidTime, type Ids } from '../../infra/runtime/ids.ts'
import type { RouteAnswer } from './route.ts'

/** What a key is scoped to: the API key, or the user of a workspace, and the route. */
export interface IdempotencyScope {
  readonly callerId: string
  readonly route: string
  readonly key: string
  /** Whether the answer is stored in the vault. */
  readonly confidential: boolean
  readonly workspaceId: string
}

export interface Idempotency {
  /**
   * Returns the first answer to every repeat of a key within 24 hours. `work` gets a name that is the same for every repeat,
   * so that interrupted work is finished, not done again. A repeat while the first call still runs waits for it. An error
   * from `work` is not remembered; the name is.
   */
  once(
    scope: IdempotencyScope,
    work: (name: string) => Promise<RouteAnswer>,
  ): Promise<RouteAnswer & { readonly replayed: boolean }>
}

const REMEMBERED_MS = 24 * 3_600_000
/**
 * A call that has not ended by then counts as interrupted, and a repeat takes over. A wrong guess is harmless: both do the
 * work under one name, and the first to finish answers for both. Shorter than the request timeout, so that a repeat right
 * after a crash still gets an answer.
 */
const CUT_OFF_AFTER_MS = 20_000
const WAIT_MS = 29_000
const LOOK_EVERY_MS = 50
const LOOK_AT_LEAST_EVERY_MS = 400

interface KeyRow {
  readonly name: string
  readonly status: number | null
  readonly body: string | null
}

/**
 * Takes the key when it is free: never used, last taken at least 24 hours ago ($7), or left unfinished. Unfinished work keeps
 * its name.
 */
const TAKE = `
insert into service.idempotency_keys as k (api_key_id, route, key, resource_id, created_at, locked_until)
values ($1, $2, $3, $4, $5, $6)
on conflict (api_key_id, route, key) do update set
  resource_id = case when k.created_at <= $7 then excluded.resource_id else k.resource_id end,
  created_at = excluded.created_at, locked_until = excluded.locked_until, status = null, body = null
where k.created_at <= $7 or (k.status is null and (k.locked_until is null or k.locked_until <= $5))
returning k.resource_id as name`

const ROW = 'where api_key_id = $1 and route = $2 and key = $3'
const LOOK = `select resource_id as name, status, body from service.idempotency_keys ${ROW}`
/** When two calls did the same work, the first to get here answers for both. */
const REMEMBER = `
update service.idempotency_keys set
  status = coalesce(status, $5), body = case when status is null then $6 else body end, locked_until = null
${ROW} and resource_id = $4 returning resource_id as name, status, body`
/** Only by the holder of the lock: a repeat may have taken it over. */
const RELEASE = `
update service.idempotency_keys set locked_until = null
${ROW} and resource_id = $4 and locked_until = $5 and status is null`

/** Prefix of an answer's vault id, before a ULID. No JSON body starts with it. */
const IN_VAULT = 'answer_'

export function createIdempotency(db: Database, clock: Clock, ids: Pick<Ids, 'ulid'>, vault: Vault): Idempotency {
  const row = async (sql: string, values: readonly unknown[]): Promise<KeyRow | undefined> =>
    (await db.query<KeyRow>(sql, [...values])).rows[0]
  const keep = async (workspaceId: string, json: string): Promise<string> => {
    const id = `${IN_VAULT}${ids.ulid()}`
    await vault.put(workspaceId, id, { json })
    return id
  }
  const answerOf = async ({ status, body }: KeyRow): Promise<RouteAnswer> => {
    if (status === null) throw new Error('no response is stored')
    if (body === null) return { status }
    const json = body.startsWith(IN_VAULT) ? ((await vault.get(body))['json'] ?? '') : body
    return { status, body: JSON.parse(json) as Record<string, unknown> }
  }

  return {
    once: async ({ callerId, route, key, confidential, workspaceId }, work) => {
      const of = [callerId, route, key]
      const deadline = clock.now() + WAIT_MS
      for (let looks = 0; ; looks += 1) {
        const now = clock.now()
        const lockedUntil = isoTime(now + CUT_OFF_AFTER_MS)
        const times = [isoTime(now), lockedUntil, isoTime(now - REMEMBERED_MS)]
        const taken = await row(TAKE, [...of, ids.ulid(), ...times])
        if (taken) {
          try {
            const answer = await work(taken.name)
            const json = answer.body === undefined ? null : JSON.stringify(answer.body)
            const body = json !== null && confidential ? await keep(workspaceId, json) : json
            const remembered = await row(REMEMBER, [...of, taken.name, answer.status, body])
            return { ...(remembered ? await answerOf(remembered) : answer), replayed: false }
          } catch (error) {
            await row(RELEASE, [...of, taken.name, lockedUntil]).catch(() => undefined)
            throw error
          }
        }
        const known = await row(LOOK, of)
        if (known && known.status !== null) return { ...(await answerOf(known)), replayed: true }
        if (now > deadline) throw new Error('the first request with this Idempotency-Key is still in progress')
        await clock.sleep(Math.min(LOOK_EVERY_MS * 2 ** looks, LOOK_AT_LEAST_EVERY_MS))
      }
    },
  }
}

/** Deletes expired keys and their answers. */
export async function sweepIdempotencyKeys(db: Database, now: number): Promise<void> {
  const forgotten = now - REMEMBERED_MS
  await db.query('delete from service.idempotency_keys where created_at <= $1', [isoTime(forgotten)])
  // By age: an interrupted call may leave an answer that no key refers to.
  await db.query(`delete from service.secrets where starts_with(id, $1) and id collate "C" < $1 || $2`, [
    IN_VAULT,
    ulidTime(Math.max(0, forgotten - CUT_OFF_AFTER_MS)),
  ])
}

/** Moves answers that an earlier version encrypted with a key derived from the master key into the vault. */
export async function adoptSealedAnswers(
  db: Database,
  vault: Vault,
  ids: Pick<Ids, 'ulid'>,
  master: Buffer,
): Promise<void> {
  const key = Buffer.from(hkdfSync('sha256', master, '', 'remembered answers', 32))
  const { rows } = await db.query<{ of: [string, string, string]; body: string }>(
    `select json_build_array(api_key_id, route, key) as of, body from service.idempotency_keys
     where not starts_with(body, '{') and not starts_with(body, $1)`,
    [IN_VAULT],
  )
  for (const { of, body } of rows) {
    const json = opened(key, JSON.stringify(of), body)
    if (json === undefined) continue
    const id = `${IN_VAULT}${ids.ulid()}`
    await vault.put(INSTALLATION, id, { json })
    await db.query(`update service.idempotency_keys set body = $4 ${ROW} and body = $5`, [...of, id, body])
  }
}

/** Undefined when encrypted with another key: such an answer could not be replayed before either. */
function opened(key: Buffer, boundTo: string, body: string): string | undefined {
  try {
    return open(key, boundTo, Buffer.from(body, 'base64')).toString()
  } catch {
    return undefined
  }
}
