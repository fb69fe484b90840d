import type { Database } from '../database/pool.ts'
import { isoTime, type Clock } from '../system/clock.ts'
import { Refusal } from '../domain/errors.ts'
import type { RouteAnswer } from './route.ts'

/** What one key stands for: it is scoped to the API key and the route. */
export interface IdempotencyScope {
  readonly apiKeyId: string
  readonly route: string
  readonly key: string
}

export interface Idempotency {
  /**
   * Runs `work` once per key and 24 hours. `work` is handed a name that is the same for every repeat, so that what was
   * cut off half-way is finished, not done anew. A repeat while the first still runs waits for it.
   */
  once(
    scope: IdempotencyScope,
    work: (name: string) => Promise<RouteAnswer>,
  ): Promise<RouteAnswer & { readonly replayed: boolean }>
}

const REMEMBERED_MS = 24 * 3_600_000
/** A call that has not ended by then was cut off: requests end after 30 s. */
const RUNNING_MS = 31_000
const LOOK_EVERY_MS = 50

interface KeyRow {
  readonly name: string
  readonly mine: boolean
  readonly status: number | null
  readonly body: string | null
}

/**
 * Takes the key when it is free: never used, used more than 24 hours ago, or left unfinished. Otherwise shows what it
 * holds. `expired` is the youngest time of use that is forgotten.
 */
const TAKE = `
insert into service.idempotency_keys as k (api_key_id, route, key, resource_id, created_at, locked_until)
values ($1, $2, $3, $4, $5, $6)
on conflict (api_key_id, route, key) do update set
  resource_id = case when k.created_at <= $7 then excluded.resource_id else k.resource_id end,
  created_at = case when k.created_at <= $7 then excluded.created_at else k.created_at end,
  status = case when k.created_at <= $7 then null else k.status end,
  body = case when k.created_at <= $7 then null else k.body end,
  locked_until = excluded.locked_until
where k.created_at <= $7 or (k.status is null and (k.locked_until is null or k.locked_until <= $5))
returning k.resource_id as name, true as mine, k.status, k.body`

const LOOK = `select resource_id as name, false as mine, status, body from service.idempotency_keys
where api_key_id = $1 and route = $2 and key = $3`

export function createIdempotency(db: Database, clock: Clock, newName: () => string): Idempotency {
  const take = async ({ apiKeyId, route, key }: IdempotencyScope): Promise<KeyRow | undefined> => {
    const now = clock.now()
    const values = [
      apiKeyId,
      route,
      key,
      newName(),
      isoTime(now),
      isoTime(now + RUNNING_MS),
      isoTime(now - REMEMBERED_MS),
    ]
    const taken = await db.query<KeyRow>(TAKE, values)
    return taken.rows[0] ?? (await db.query<KeyRow>(LOOK, [apiKeyId, route, key])).rows[0]
  }

  const end = async ({ apiKeyId, route, key }: IdempotencyScope, answer: RouteAnswer | undefined) => {
    await db.query(
      `update service.idempotency_keys set status = $4, body = $5, locked_until = null
       where api_key_id = $1 and route = $2 and key = $3`,
      [apiKeyId, route, key, answer?.status ?? null, answer?.body ? JSON.stringify(answer.body) : null],
    )
  }

  const forget = async ({ apiKeyId, route, key }: IdempotencyScope) => {
    await db.query('delete from service.idempotency_keys where api_key_id = $1 and route = $2 and key = $3', [
      apiKeyId,
      route,
      key,
    ])
  }

  return {
    once: async (scope, work) => {
      const deadline = clock.now() + RUNNING_MS
      for (;;) {
        const row = await take(scope)
        if (row?.mine) {
          try {
            const answer = await work(row.name)
            await end(scope, answer)
            return { ...answer, replayed: false }
          } catch (error) {
            // A refusal did nothing and is not remembered; after a fault the name is kept for the repeat.
            await (error instanceof Refusal ? forget(scope) : end(scope, undefined)).catch(() => undefined)
            throw error
          }
        }
        if (row?.status != null) {
          const body = row.body === null ? {} : { body: JSON.parse(row.body) as Record<string, unknown> }
          return { status: row.status, ...body, replayed: true }
        }
        if (clock.now() > deadline) throw new Error('the first request with this Idempotency-Key has not ended')
        await clock.sleep(LOOK_EVERY_MS)
      }
    },
  }
}

/** Deletes what is no longer remembered. */
export async function sweepIdempotencyKeys(db: Database, now: number): Promise<void> {
  await db.query('delete from service.idempotency_keys where created_at <= $1', [isoTime(now - REMEMBERED_MS)])
}
