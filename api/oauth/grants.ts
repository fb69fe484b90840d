import { handle } from '../../commands/handle.ts'
import { revokeApiKey } from '../../commands/revoke-api-key.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { apiKey } from '../../domain/workspace/api-key.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Services } from '../kit/services.ts'

export type GrantDeps = Pick<Services, 'db' | 'log' | 'clock' | 'seen'>

const OAUTH = { kind: 'reactor', id: 'oauth' } as const
/** A person has consented, and the app has not fetched its tokens: by then, the request and its code have expired. */
const FETCHED_WITHIN_MS = 15 * 60_000
const BATCH = 500

/** Revokes the key first: after a crash in between, its tokens are worth nothing. */
export async function endGrant({ db, log, clock, seen }: GrantDeps, grantId: string): Promise<void> {
  const cause = { commandId: derivedId('end grant', grantId), correlationId: grantId, actor: OAUTH }
  const { position } = await handle({ log, clock }, apiKey, grantId, cause, (state) =>
    state.status === 'absent' ? [] : revokeApiKey(state),
  )
  await db.query('delete from service.oauth_artifacts where grant_id = $1', [grantId])
  if (position !== undefined) await seen.waitFor(position)
}

/**
 * Deletes what has expired, and revokes the keys of apps that have no token: those that stayed away, and those whose grant was never
 * stored, as the process died between the two.
 */
export async function sweepOAuth(deps: GrantDeps): Promise<void> {
  const { db, clock } = deps
  const now = isoTime(clock.now())
  await db.query(`delete from service.oauth_artifacts where kind <> 'Grant' and expires_at <= $1`, [now])
  await db.query('delete from service.oauth_clients where expires_at <= $1', [now])
  const { rows } = await db.query<{ grant_id: string }>(
    `select grant_id from service.oauth_artifacts g where kind = 'Grant' and (
       expires_at <= $1 or exists (select from read.api_keys k where k.id = g.grant_id and k.revoked)
     )
     union
     select id from read.api_keys k where client is not null and not revoked and created_at <= $2
       and not exists (select from service.oauth_artifacts t where t.grant_id = k.id and t.kind <> 'Grant')
     limit $3`,
    [now, isoTime(clock.now() - FETCHED_WITHIN_MS), BATCH],
  )
  for (const { grant_id: id } of rows) await endGrant(deps, id)
}
