import { apiKey } from '../../domain/workspace/api-key.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { Scope } from '../../domain/core/scope.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

export interface ApiKeyRow {
  readonly id: string
  readonly workspace_id: string
  readonly label: string
  readonly scopes: readonly Scope[]
  readonly secret_hash: string
  readonly revoked: boolean
  readonly revoked_at: string | null
  readonly created_at: string
}

const COLUMNS = 'id, workspace_id, label, scopes, secret_hash, revoked, revoked_at, created_at'

export const apiKeys: Projection<ApiKeyRow> = {
  name: 'api_keys',
  version: 2,
  columns: {
    id: 'text',
    workspace_id: 'text',
    label: 'text',
    scopes: 'json',
    secret_hash: 'text',
    revoked: 'boolean',
    revoked_at: 'timestamptz',
    created_at: 'timestamptz',
  },
  makesAnew: atStreamStart,
  indexes: ['(workspace_id, id)', '(workspace_id, created_at desc, id desc)'],
  rowIds: (event) => (eventOf(apiKey, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(apiKey, recorded)
    switch (event?.type) {
      case 'ApiKeyCreated': {
        const { workspaceId, label, scopes, secretHash } = event.data
        return {
          id,
          workspace_id: workspaceId,
          label,
          scopes,
          secret_hash: secretHash,
          revoked: false,
          revoked_at: null,
          created_at: recorded.metadata.at,
        }
      }
      case 'ApiKeyRevoked':
        return row && { ...row, revoked: true, revoked_at: recorded.metadata.at }
      case undefined:
        return row
    }
  },
}

export async function findApiKey(db: Database, id: string): Promise<ApiKeyRow | undefined> {
  const { rows } = await db.query<ApiKeyRow>(`select ${COLUMNS} from read.api_keys where id = $1`, [id])
  return rows[0]
}

export async function listApiKeys(db: Database, workspaceId: string): Promise<readonly ApiKeyRow[]> {
  const sql = `select ${COLUMNS} from read.api_keys where workspace_id = $1 order by id`
  return (await db.query<ApiKeyRow>(sql, [workspaceId])).rows
}
