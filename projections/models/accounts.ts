import { account, NO_AUTOMATION, type Automation } from '../../domain/account/account.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

export interface AccountRow {
  readonly id: string
  readonly workspace_id: string
  readonly platform: PlatformKey
  readonly external_id: string
  readonly label: string
  readonly base_url: string | null
  readonly connected: boolean
  readonly connected_at: string
  /** Why the owner has to reconnect it; null when the credentials work. */
  readonly needs_reauth: string | null
  readonly rests_until: string | null
  readonly automation: Automation
}

const COLUMNS =
  'id, workspace_id, platform, external_id, label, base_url, connected, connected_at, needs_reauth, rests_until, automation'

export const accounts: Projection<AccountRow> = {
  name: 'accounts',
  version: 2,
  columns: {
    id: 'text',
    workspace_id: 'text',
    platform: 'text',
    external_id: 'text',
    label: 'text',
    base_url: 'text',
    connected: 'boolean',
    connected_at: 'timestamptz',
    needs_reauth: 'text',
    rests_until: 'timestamptz',
    automation: 'json',
  },
  makesAnew: atStreamStart,
  indexes: ['(workspace_id, platform, id)', '(platform, external_id)'],
  rowIds: (event) => (eventOf(account, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(account, recorded)
    switch (event?.type) {
      case 'AccountConnected': {
        const { workspaceId, platform, externalId, label, baseUrl } = event.data
        return {
          id,
          workspace_id: workspaceId,
          platform,
          external_id: externalId,
          label,
          base_url: baseUrl ?? null,
          connected: true,
          connected_at: recorded.metadata.at,
          needs_reauth: null,
          rests_until: null,
          automation: row?.automation ?? NO_AUTOMATION,
        }
      }
      case 'AccountDisconnected':
        return row && { ...row, connected: false }
      case 'AccountRested':
        return row && { ...row, rests_until: event.data.until }
      case 'AccountNeedsReauth':
        return row && { ...row, needs_reauth: event.data.reason }
      case 'AutomationSet':
        return row && { ...row, automation: event.data }
      case 'CommentsCheckRequested':
      case undefined:
        return row
    }
  },
}

/** Whether an account can publish now, and if not, why or until when (ISO 8601 UTC). */
export type AccountStanding =
  | { readonly status: 'ready' }
  | { readonly status: 'resting'; readonly restsUntil: string }
  | { readonly status: 'needs_reauth'; readonly reason: string }

/** @param now ms since the epoch */
export function standingOf({ needs_reauth, rests_until }: AccountRow, now: number): AccountStanding {
  if (needs_reauth !== null) return { status: 'needs_reauth', reason: needs_reauth }
  if (rests_until !== null && Date.parse(rests_until) > now) return { status: 'resting', restsUntil: rests_until }
  return { status: 'ready' }
}

/** Includes why the last fetch of its comments or of its posts' numbers failed. */
export interface ConnectedAccountRow extends AccountRow {
  readonly comments_error: string | null
  readonly analytics_error: string | null
}

/** Ids of all accounts of a workspace, connected or not. */
export async function accountIdsOf(db: Database, workspaceId: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>('select id from read.accounts where workspace_id = $1', [workspaceId])
  return rows.map(({ id }) => id)
}

/** A workspace's connected accounts: platforms in the order of PLATFORM_KEYS, oldest account first. */
export async function connectedAccounts(db: Database, workspaceId: string): Promise<readonly ConnectedAccountRow[]> {
  const { rows } = await db.query<ConnectedAccountRow>(
    `select ${COLUMNS}, (select error from service.comment_checks where account_id = id) as comments_error,
       (select error from service.metric_checks where account_id = id) as analytics_error
     from read.accounts where workspace_id = $1 and connected
     order by array_position($2::text[], platform), id`,
    [workspaceId, PLATFORM_KEYS],
  )
  return rows
}

export async function findAccount(db: Database, id: string): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>(`select ${COLUMNS} from read.accounts where id = $1`, [id])
  return rows[0]
}

/** The workspace's account for a platform account, connected or not. */
export async function findAccountByExternalId(
  db: Database,
  key: { readonly workspaceId: string; readonly platform: PlatformKey; readonly externalId: string },
): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>(
    `select ${COLUMNS} from read.accounts where workspace_id = $1 and platform = $2 and external_id = $3 order by id`,
    [key.workspaceId, key.platform, key.externalId],
  )
  return rows[0]
}
