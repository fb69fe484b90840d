import { errors, type Adapter, type AdapterPayload } from 'oidc-provider'
import { isoTime } from '../../infra/runtime/clock.ts'
import { hashOf } from '../../infra/runtime/key-format.ts'
import { endGrant, type GrantDeps } from './grants.ts'

/** Registrations that nobody has used yet, in all. */
const MOST_UNUSED = 10_000
const MOST_METADATA_BYTES = 8_000
/** An app that nobody lets in is forgotten after this time, any other this long after its last grant has ended. */
const FORGOTTEN_MS = 24 * 3_600_000
const KNOWN_MS = 30 * 24 * 3_600_000
/** A refresh token works this long after its first use, for a client that did not get the answer. */
const LENIENT_MS = 60_000

interface Row {
  readonly payload: AdapterPayload
  readonly consumed_at: string | null
}

/**
 * Where `oidc-provider` keeps things, in Postgres for all processes. Ids are secrets, codes and tokens among them, and stored as hashes only. A
 * grant is an API key: its id is the key's, it lasts as long as the key, and its end revokes the key.
 */
export function oauthStorage(deps: GrantDeps): (kind: string) => Adapter {
  const { db, clock } = deps
  const until = (ms: number) => isoTime(clock.now() + ms)
  return (kind) => {
    if (kind === 'Client') return clients(deps)
    // Who consents is known by the session of the dashboard.
    if (kind === 'Session') return { ...NOTHING }
    return {
      ...NOTHING,
      upsert: async (id, { jti: _, ...payload }, expiresIn = 0) => {
        const grantId = kind === 'Grant' ? id : payload.grantId
        await db.query(
          `insert into service.oauth_artifacts (kind, id_hash, grant_id, payload, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (kind, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
          [kind, hashOf(id), grantId, payload, isoTime(clock.now()), until(expiresIn * 1_000)],
        )
        if (kind !== 'Grant') return
        const used = 'update service.oauth_clients set used = true, expires_at = greatest(expires_at, $2) where id = $1'
        await db.query(used, [payload.clientId, until(expiresIn * 1_000 + KNOWN_MS)])
      },
      find: async (id) => {
        const { rows } = await db.query<Row>(
          `select payload, consumed_at from service.oauth_artifacts a where kind = $1 and id_hash = $2 and expires_at > $3
           and (kind <> 'Grant' or exists (select from read.api_keys k where k.id = a.grant_id and not k.revoked))`,
          [kind, hashOf(id), isoTime(clock.now())],
        )
        if (!rows[0]) return undefined
        const { payload, consumed_at: at } = rows[0]
        const lenient = kind === 'RefreshToken' ? LENIENT_MS : 0
        const isConsumed = at !== null && Date.parse(at) + lenient <= clock.now()
        return { ...payload, jti: id, ...(isConsumed && { consumed: true as const }) }
      },
      consume: async (id) => {
        const { rows } = await db.query<{ grant_id: string; first: boolean }>(
          `update service.oauth_artifacts a set consumed_at = coalesce(a.consumed_at, $3)
           from (select kind, id_hash, consumed_at from service.oauth_artifacts where kind = $1 and id_hash = $2 for update) before
           where (a.kind, a.id_hash) = (before.kind, before.id_hash) returning a.grant_id, before.consumed_at is null as first`,
          [kind, hashOf(id), isoTime(clock.now())],
        )
        const [row] = rows
        if (row && (row.first || kind === 'RefreshToken')) return
        // Two requests with one code at the same moment: one of them has stolen it.
        if (row) await endGrant(deps, row.grant_id)
        throw new errors.InvalidGrant('already used')
      },
      destroy: async (id) => {
        if (kind === 'Grant') return endGrant(deps, id)
        await db.query('delete from service.oauth_artifacts where kind = $1 and id_hash = $2', [kind, hashOf(id)])
      },
      revokeByGrantId: async (grantId) => {
        await db.query('delete from service.oauth_artifacts where kind = $1 and grant_id = $2', [kind, grantId])
      },
    }
  }
}

const NOTHING: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

/** The apps that registered themselves. Those with a document at a URL of their own are not stored. */
function clients({ db, clock }: GrantDeps): Adapter {
  return {
    ...NOTHING,
    upsert: async (id, metadata) => {
      const text = JSON.stringify(metadata)
      if (text.length > MOST_METADATA_BYTES) throw new errors.InvalidClientMetadata('the metadata is too large')
      const { rowCount } = await db.query(
        `insert into service.oauth_clients (id, metadata, expires_at)
         select $1, $2, $3 where (select count(*) from service.oauth_clients where not used) < $4`,
        [id, text, isoTime(clock.now() + FORGOTTEN_MS), MOST_UNUSED],
      )
      if (rowCount === 0) throw new errors.TemporarilyUnavailable('too many apps have registered; try again later')
    },
    find: async (id) => {
      const sql = 'select metadata from service.oauth_clients where id = $1 and expires_at > $2'
      const { rows } = await db.query<{ metadata: AdapterPayload }>(sql, [id, isoTime(clock.now())])
      return rows[0]?.metadata
    },
  }
}
