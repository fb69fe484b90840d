import { Refusal } from '../../domain/core/errors.ts'
import type { Scope } from '../../domain/core/scope.ts'
import type { Budgets } from '../../domain/workspace/budgets.ts'
import { scopesOf, type UserRole } from '../../domain/workspace/role.ts'
import { hashOf } from '../../infra/runtime/key-format.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Authenticate } from '../http/authenticate.ts'
import type { Services } from '../kit/services.ts'
import { issuerOf, resourceOf, scopesIn, type Place } from './issuer.ts'

interface TokenRow {
  readonly id: string
  readonly workspace_id: string
  readonly scopes: readonly Scope[]
  readonly undo_seconds: number | null
  readonly budgets: Budgets
  readonly granted: string
  readonly role: UserRole
}

/** A person who has left the workspace takes what they allowed with them. */
const BY_TOKEN = {
  name: 'oauth access',
  text: `select k.id, k.workspace_id, k.scopes, k.undo_seconds, k.budgets, t.payload ->> 'scope' as granted, m.role
from service.oauth_artifacts t
join read.api_keys k on k.id = t.grant_id and not k.revoked
join read.members m on m.user_id = k.made_by and m.workspace_id = k.workspace_id and not m.removed
where t.kind = 'AccessToken' and t.id_hash = $1 and t.expires_at > $2 and t.payload ->> 'aud' = $3`,
}

/**
 * Accepts the access tokens of OAuth for the MCP endpoint besides API keys. It reads the token and its key every time, so that a revoked
 * grant ends at once in all processes.
 */
export function authenticateAgent(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  byKey: Authenticate,
  place: Place,
): Authenticate {
  return async (request) => {
    const [, token] = /^Bearer +([\w-]+) *$/i.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined || token.startsWith('fnf_')) return byKey(request)
    const values = [hashOf(token), isoTime(clock.now()), resourceOf(issuerOf(request, place))]
    const [row] = (await db.query<TokenRow>({ ...BY_TOKEN, values })).rows
    if (!row) throw new Refusal('invalid_api_key', 'The access token is not valid here, or no longer.')
    const { id, workspace_id: workspaceId, role, granted, undo_seconds: undoSeconds, budgets } = row
    const scopes = scopesIn(granted).filter((scope) => row.scopes.includes(scope) && scopesOf(role).includes(scope))
    if (scopes.length === 0) throw new Refusal('invalid_api_key', 'Nothing that was allowed is left.')
    return { actor: { kind: 'api-key', id }, workspaceId, scopes, undoSeconds: undoSeconds ?? undefined, budgets }
  }
}
