import { apiKey, type OAuthClient } from '../../domain/workspace/api-key.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { Scope } from '../../domain/core/scope.ts'
import type { Budgets } from '../../domain/workspace/budgets.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { boolean, integer, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  label: text(),
  scopes: json<readonly Scope[]>(),
  secretHash: text(),
  /** Null: a key of its own. */
  client: json<OAuthClient | null>(),
  /** The user, if a user made it. */
  madeBy: text<string | null>(),
  /** Null: as in the workspace. */
  undoSeconds: integer<number | null>(),
  budgets: json<Budgets>(),
  revoked: boolean(),
  revokedAt: time<string | null>(),
  createdAt: time(),
}
export type ApiKeyRow = RowOf<typeof columns>

const ROW = rowFrom(columns)

export const apiKeys: Projection<ApiKeyRow> = {
  name: 'api_keys',
  version: 5,
  columns,
  createsRow: atStreamStart,
  indexes: ['(workspace_id, id)', '(workspace_id, created_at desc, id desc)'],
  rowIds: (event) => (eventOf(apiKey, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(apiKey, recorded)
    switch (event?.type) {
      case 'ApiKeyCreated': {
        const { workspaceId, label, scopes, secretHash, client = null } = event.data
        const { actor, at } = recorded.metadata
        return {
          id,
          workspaceId,
          label,
          scopes,
          secretHash,
          client,
          madeBy: actor.kind === 'user' ? actor.id : null,
          ...{ undoSeconds: null, budgets: {} },
          revoked: false,
          revokedAt: null,
          createdAt: at,
        }
      }
      case 'ApiKeyUndoSet':
        return row && { ...row, undoSeconds: event.data.seconds ?? null }
      case 'ApiKeyBudgetsSet':
        return row && { ...row, budgets: event.data.budgets }
      case 'ApiKeyRevoked':
        return row && { ...row, revoked: true, revokedAt: recorded.metadata.at }
      case undefined:
        return row
    }
  },
}

export async function findApiKey(db: Database, id: string): Promise<ApiKeyRow | undefined> {
  const { rows } = await db.query<ApiKeyRow>(`select ${ROW} from read.api_keys where id = $1`, [id])
  return rows[0]
}

export async function listApiKeys(db: Database, workspaceId: string): Promise<readonly ApiKeyRow[]> {
  const sql = `select ${ROW} from read.api_keys where workspace_id = $1 order by id`
  return (await db.query<ApiKeyRow>(sql, [workspaceId])).rows
}
