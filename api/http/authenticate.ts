import type { FastifyRequest } from 'fastify'
import type { Database } from '../../infra/postgres/pool.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { findApiKey, type ApiKeyRow } from '../../projections/models/api-keys.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { apiKeyFormat, sameHash } from '../../infra/runtime/key-format.ts'
import type { Caller } from './route.ts'

/** A revoked key stops working everywhere within this time. */
const CACHE_MS = 2_000
const CACHE_SIZE = 10_000
/** Makes an unknown id cost the same as a known one. */
const NO_HASH = '0'.repeat(64)

/** Identifies the caller of a request. @throws Refusal */
export type Authenticate = (request: Pick<FastifyRequest, 'headers' | 'method'>) => Promise<Caller>

/**
 * Checks `Authorization: Bearer <key>` (api-spec §5).
 *
 * @throws Refusal missing_api_key, invalid_api_key or, only when the secret is correct, revoked_api_key
 */
export function createAuthenticate(db: Database, clock: Clock): Authenticate {
  const cache = new Map<string, { readonly row: ApiKeyRow; readonly until: number }>()

  const find = async (id: string): Promise<ApiKeyRow | undefined> => {
    const known = cache.get(id)
    if (known && known.until > clock.now()) return known.row
    const row = await findApiKey(db, id)
    cache.delete(id)
    if (row) {
      if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value ?? '')
      cache.set(id, { row, until: clock.now() + CACHE_MS })
    }
    return row
  }

  return async ({ headers }) => {
    const [, raw] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
    if (raw === undefined) {
      throw new Refusal('missing_api_key', 'Send your API key in the header Authorization: Bearer <API_KEY>.')
    }
    const parsed = apiKeyFormat.parse(raw)
    if (!parsed) throw new Refusal('invalid_api_key', 'This is not a valid API key. Check it for typos.')
    const row = await find(parsed.id)
    if (!sameHash(row?.secretHash ?? NO_HASH, parsed.secretHash) || !row) {
      throw new Refusal('invalid_api_key', 'No such API key.')
    }
    if (row.revoked) throw new Refusal('revoked_api_key', 'This API key was revoked.')
    const { id, workspaceId, scopes, undoSeconds, budgets } = row
    return { actor: { kind: 'api-key', id }, workspaceId, scopes, undoSeconds: undoSeconds ?? undefined, budgets }
  }
}
