import * as z from 'zod'
import { capability } from '../../domain/account/capability.ts'
import { actorSchema } from '../../domain/core/event.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { isoTime } from '../../infra/runtime/clock.ts'

/** Exceeds the time (ms) that processing an answer takes. */
const SETTLING_MS = 5 * 60_000

/**
 * `open`: waiting for the browser. `choosing`: the login reaches several accounts. `settling`: an answer is being processed;
 * after a crash in this step the authorization is lost.
 */
const STEPS = ['open', 'choosing', 'settling', 'connected', 'failed'] as const
export type AuthorizationStep = (typeof STEPS)[number]

const row = z.object({
  id: z.string(),
  workspace_id: z.string(),
  platform: z.enum(PLATFORM_KEYS),
  base_url: z.string().nullable(),
  label: z.string().nullable(),
  actor: actorSchema,
  step: z.enum(STEPS),
  account_id: z.string().nullable(),
  connected_as: z.string().nullable(),
  /** Null where only the two columns above were written. */
  connected: z.array(z.object({ id: z.string(), label: z.string() })).nullable(),
  failure: z.string().nullable(),
})
export type AuthorizationRow = Readonly<z.infer<typeof row>>

export interface ConnectedAs {
  readonly id: string
  readonly label: string
}

/** The accounts that an authorization has connected. */
export function connectedBy({
  connected,
  account_id: id,
  connected_as: label,
}: AuthorizationRow): readonly ConnectedAs[] {
  return connected ?? (id === null ? [] : [{ id, label: label ?? id }])
}

const credentials = z.record(z.string(), z.string())
const secrets = z.object({
  app: z.object({ clientId: z.string(), clientSecret: z.string().optional(), configId: z.string().optional() }),
  /** Which of the platform's logins the app is for. Absent: the first, or the only one. */
  login: z.string().optional(),
  /** Credentials supplied before the consent. */
  given: credentials,
  /** The account to connect again. Absent: any. */
  accountId: z.string().optional(),
  /** What the owner is asked to allow, and what they allowed. Absent: all that the platform has. */
  capabilities: z.array(capability).optional(),
  allowed: z.array(capability).optional(),
  /** The accounts that the login reaches, kept while the user has to choose one. */
  reached: z.array(z.object({ label: z.string(), credentials })).default([]),
})
export type AuthorizationSecrets = Readonly<z.infer<typeof secrets>>

/** Authorizations in progress, which any process can continue; their secrets are in the vault. */
export interface AuthorizationStore {
  add(
    row: Omit<AuthorizationRow, 'step' | 'account_id' | 'connected_as' | 'connected' | 'failure'>,
    expiresAt: number,
    kept: AuthorizationSecrets,
  ): Promise<void>
  /** Undefined when it does not exist or has expired. */
  find(id: string, now: number): Promise<AuthorizationRow | undefined>
  secrets(id: string): Promise<AuthorizationSecrets>
  /** Advances from one step for a single caller; a second caller, or one for another platform, gets undefined. */
  proceed(
    id: string,
    platform: PlatformKey,
    from: AuthorizationStep,
    to: AuthorizationStep,
    now: number,
  ): Promise<AuthorizationRow | undefined>
  /** Replaces the secrets. */
  keep(row: AuthorizationRow, kept: AuthorizationSecrets): Promise<void>
  askToChoose(row: AuthorizationRow, kept: AuthorizationSecrets): Promise<void>
  /** @param failures why others were not connected */
  connected(id: string, accounts: readonly ConnectedAs[], failures: readonly string[]): Promise<void>
  failed(id: string, why: string): Promise<void>
  sweep(now: number): Promise<void>
}

export function authorizationStore(db: Database, vault: Vault): AuthorizationStore {
  const rowOf = (found: unknown) => (found === undefined ? undefined : row.parse(found))
  const put = (workspaceId: string, id: string, kept: AuthorizationSecrets) =>
    vault.put(workspaceId, id, { all: JSON.stringify(kept) })
  return {
    add: async ({ id, workspace_id, platform, base_url, label, actor }, expiresAt, kept) => {
      await db.query(
        `insert into service.authorizations (id, workspace_id, platform, base_url, label, actor, step, expires_at)
         values ($1, $2, $3, $4, $5, $6, 'open', $7)`,
        [id, workspace_id, platform, base_url, label, JSON.stringify(actor), isoTime(expiresAt)],
      )
      await put(workspace_id, id, kept)
    },
    find: async (id, now) => {
      const { rows } = await db.query('select * from service.authorizations where id = $1 and expires_at > $2', [
        id,
        isoTime(now),
      ])
      return rowOf(rows[0])
    },
    secrets: async (id) => secrets.parse(JSON.parse((await vault.get(id))['all'] ?? '')),
    proceed: async (id, platform, from, to, now) => {
      const { rows } = await db.query(
        `update service.authorizations set step = $3
         where id = $1 and step = $2 and expires_at > $4 and platform = $5 returning *`,
        [id, from, to, isoTime(now), platform],
      )
      return rowOf(rows[0])
    },
    keep: ({ id, workspace_id }, kept) => put(workspace_id, id, kept),
    askToChoose: async ({ id, workspace_id }, kept) => {
      await put(workspace_id, id, kept)
      await db.query(`update service.authorizations set step = 'choosing' where id = $1`, [id])
    },
    connected: async (id, accounts, failures) => {
      const [first] = accounts
      await db.query(
        `update service.authorizations
         set step = 'connected', account_id = $2, connected_as = $3, connected = $4, failure = $5 where id = $1`,
        [id, first?.id, first?.label, JSON.stringify(accounts), failures.length > 0 ? failures.join(' ') : null],
      )
      await vault.remove(id)
    },
    failed: async (id, why) => {
      await db.query(
        `update service.authorizations set step = 'failed', failure = $2 where id = $1 and step = 'settling'`,
        [id, why],
      )
      await vault.remove(id)
    },
    sweep: async (now) => {
      const { rows } = await db.query<{ id: string }>(
        'select id from service.authorizations where expires_at < $1 limit 1000',
        // An answer that arrived just before expiry may still be settling.
        [isoTime(now - SETTLING_MS)],
      )
      for (const { id } of rows) {
        await vault.remove(id)
        await db.query('delete from service.authorizations where id = $1', [id])
      }
    },
  }
}
