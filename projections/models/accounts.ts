import { account, NO_AUTOMATION, withoutLimit, type Automation } from '../../domain/account/account.ts'
import { CAPABILITIES, type Limits } from '../../domain/account/capability.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { ERASED } from '../../domain/core/personal-data.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { boolean, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  platform: text<PlatformKey>(),
  externalId: text(),
  /** Who granted the access; null where that is unknown, or the same as `externalId`. */
  ownerId: text<string | null>(),
  label: text(),
  baseUrl: text<string | null>(),
  connected: boolean(),
  connectedAt: time(),
  /** Why the owner has to reconnect it; null when the credentials work. */
  needsReauth: text<string | null>(),
  restsUntil: time<string | null>(),
  limits: json<Limits>(),
  automation: json<Automation>(),
  /** Null while nobody has decided. */
  readsInBackground: boolean<boolean | null>(),
  /** Null where the platform has no such options, or the account is from before they were stored here. */
  postDefaults: json<Readonly<Record<string, unknown>> | null>(),
}
export type AccountRow = RowOf<typeof columns>

const ROW = rowFrom(columns)

export const accounts: Projection<AccountRow> = {
  name: 'accounts',
  version: 6,
  columns,
  createsRow: atStreamStart,
  indexes: ['(workspace_id, platform, id)', '(platform, external_id)', '(platform, owner_id)'],
  rowIds: (event) => (eventOf(account, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(account, recorded)
    switch (event?.type) {
      case 'AccountConnected': {
        const { workspaceId, platform, externalId, label, baseUrl } = event.data
        return {
          id,
          workspaceId,
          platform,
          externalId,
          ownerId: null,
          label,
          baseUrl: baseUrl ?? null,
          connected: true,
          connectedAt: recorded.metadata.at,
          needsReauth: null,
          restsUntil: null,
          limits: {},
          automation: row?.automation ?? NO_AUTOMATION,
          readsInBackground: row?.readsInBackground ?? null,
          postDefaults: row?.postDefaults ?? null,
        }
      }
      case 'AccountOwnerIdentified':
        return row && { ...row, ownerId: event.data.ownerId }
      case 'AccountDisconnected':
        return row && { ...row, connected: false }
      case 'AccountRested':
        return row && { ...row, restsUntil: event.data.until }
      case 'AccountNeedsReauth':
        return row && { ...row, needsReauth: event.data.reason }
      case 'AccountLimited': {
        const { capability, ...limit } = event.data
        return row && { ...row, limits: { ...row.limits, [capability]: { ...limit, since: recorded.metadata.at } } }
      }
      case 'AccountLimitLifted':
        return row && { ...row, limits: withoutLimit(row.limits, event.data.capability) ?? {} }
      case 'AutomationSet':
        return row && { ...row, automation: event.data }
      case 'BackgroundReadingSet':
        return row && { ...row, readsInBackground: event.data.isOn }
      case 'PostDefaultsSet':
        return row && { ...row, postDefaults: event.data.options }
      case 'PersonalDataErased':
        return row && { ...row, label: ERASED, ownerId: null }
      case 'AccountExpiring':
      case 'CommentsCheckRequested':
      case 'AccountSummarized':
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
export function standingOf({ needsReauth, restsUntil }: AccountRow, now: number): AccountStanding {
  if (needsReauth !== null) return { status: 'needs_reauth', reason: needsReauth }
  if (restsUntil !== null && Date.parse(restsUntil) > now) return { status: 'resting', restsUntil }
  return { status: 'ready' }
}

/** What the platform refuses on an account, in the order of CAPABILITIES. */
export function limitsOf({ limits }: Pick<AccountRow, 'limits'>) {
  return CAPABILITIES.flatMap((capability) => {
    const limit = limits[capability]
    return limit ? [{ capability, ...limit }] : []
  })
}

/** Includes why the last fetch of its comments or of its posts' numbers failed. */
export interface ConnectedAccountRow extends AccountRow {
  readonly commentsError: string | null
  readonly analyticsError: string | null
}

/** Ids of all accounts of a workspace, connected or not. */
export async function accountIdsOf(db: Database, workspaceId: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>('select id from read.accounts where workspace_id = $1', [workspaceId])
  return rows.map(({ id }) => id)
}

/** The platforms of all accounts of a workspace, connected or not, by id. */
export async function platformsOfAccounts(
  db: Database,
  workspaceId: string,
): Promise<ReadonlyMap<string, PlatformKey>> {
  const { rows } = await db.query<Pick<AccountRow, 'id' | 'platform'>>(
    'select id, platform from read.accounts where workspace_id = $1',
    [workspaceId],
  )
  return new Map(rows.map(({ id, platform }) => [id, platform]))
}

/** The names of accounts, by id. */
export async function namesOfAccounts(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<AccountRow>('select id, label from read.accounts where id = any($1)', [ids])
  return new Map(rows.map(({ id, label }) => [id, label]))
}

/** Those of the accounts whose platform is at a URL. */
export async function accountsAt(db: Database, ids: readonly string[], url: string): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<AccountRow>(
    'select id from read.accounts where id = any($1) and starts_with(base_url, $2)',
    [ids, `${url}/`],
  )
  return new Set(rows.map(({ id }) => id))
}

/** The names of all accounts of a workspace, connected or not, by id. */
export async function accountNamesIn(db: Database, workspaceId: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<AccountRow>('select id, label from read.accounts where workspace_id = $1', [
    workspaceId,
  ])
  return new Map(rows.map(({ id, label }) => [id, label]))
}

/** A workspace's connected accounts: platforms in the order of PLATFORM_KEYS, oldest account first. */
export async function connectedAccounts(db: Database, workspaceId: string): Promise<readonly ConnectedAccountRow[]> {
  const { rows } = await db.query<ConnectedAccountRow>(
    `select ${ROW}, (select error from service.comment_checks where account_id = id) as "commentsError",
       (select error from service.metric_checks where account_id = id) as "analyticsError"
     from read.accounts where workspace_id = $1 and connected
     order by array_position($2::text[], platform), id`,
    [workspaceId, PLATFORM_KEYS],
  )
  return rows
}

export async function findAccount(db: Database, id: string): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>(`select ${ROW} from read.accounts where id = $1`, [id])
  return rows[0]
}

/** Whether the platform account is connected under another id, in any workspace. */
export async function isConnectedElsewhere(
  db: Database,
  { id, platform, externalId }: Pick<AccountRow, 'id' | 'platform' | 'externalId'>,
): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    'select exists (select from read.accounts where platform = $1 and external_id = $2 and connected and id <> $3) as found',
    [platform, externalId, id],
  )
  return rows[0]?.found ?? false
}

/** The workspace's account for a platform account, connected or not. */
export async function findAccountByExternalId(
  db: Database,
  key: { readonly workspaceId: string; readonly platform: PlatformKey; readonly externalId: string },
): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>(
    `select ${ROW} from read.accounts where workspace_id = $1 and platform = $2 and external_id = $3 order by id`,
    [key.workspaceId, key.platform, key.externalId],
  )
  return rows[0]
}

/** The accounts that a person connected, in every workspace. @param ownerId the platform's id of the person, or of the account */
export async function accountsOfOwner(
  db: Database,
  { platforms, ownerId }: { readonly platforms: readonly PlatformKey[]; readonly ownerId: string },
): Promise<readonly Pick<AccountRow, 'id' | 'connected' | 'connectedAt'>[]> {
  const { rows } = await db.query<AccountRow>(
    `select ${ROW} from read.accounts where platform = any($1) and (owner_id = $2 or external_id = $2) order by id`,
    [platforms, ownerId],
  )
  return rows
}
