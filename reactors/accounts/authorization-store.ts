import { z } from 'zod'
import { actorSchema } from '../../domain/core/event.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { isoTime } from '../../infra/runtime/clock.ts'

/** Longer (ms) than acting on an answer takes. */
const SETTLING_MS = 5 * 60_000

/**
 * `open`: the browser is on its way. `choosing`: the login reaches several accounts. `settling`: an answer is being acted
 * on; one that dies there is over.
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
  failure: z.string().nullable(),
})
export type AuthorizationRow = Readonly<z.infer<typeof row>>

const credentials = z.record(z.string(), z.string())
const secrets = z.object({
  app: z.object({ clientId: z.string(), clientSecret: z.string().optional() }),
  /** What was given before the consent. */
  given: credentials,
  /** What the login reaches, while one of several is to be chosen. */
  reached: z.array(z.object({ label: z.string(), credentials })).default([]),
})
export type AuthorizationSecrets = Readonly<z.infer<typeof secrets>>

/** What is under way, for any process to go on with; its secrets lie in the vault. */
export interface AuthorizationStore {
  add(
    row: Omit<AuthorizationRow, 'step' | 'account_id' | 'connected_as' | 'failure'>,
    expiresAt: number,
    kept: AuthorizationSecrets,
  ): Promise<void>
  /** Absent: there was none, or its time is over. */
  find(id: string, now: number): Promise<AuthorizationRow | undefined>
  secrets(id: string): Promise<AuthorizationSecrets>
  /** Goes on from one step, for one caller only; whoever comes second, or for another platform, gets nothing. */
  proceed(
    id: string,
    platform: PlatformKey,
    from: AuthorizationStep,
    to: AuthorizationStep,
    now: number,
  ): Promise<AuthorizationRow | undefined>
  askToChoose(row: AuthorizationRow, kept: AuthorizationSecrets): Promise<void>
  connected(id: string, account: { readonly id: string; readonly label: string }): Promise<void>
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
    askToChoose: async ({ id, workspace_id }, kept) => {
      await put(workspace_id, id, kept)
      await db.query(`update service.authorizations set step = 'choosing' where id = $1`, [id])
    },
    connected: async (id, account) => {
      await db.query(
        `update service.authorizations set step = 'connected', account_id = $2, connected_as = $3 where id = $1`,
        [id, account.id, account.label],
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
        // What came in at the last moment is still being settled.
        [isoTime(now - SETTLING_MS)],
      )
      for (const { id } of rows) {
        await vault.remove(id)
        await db.query('delete from service.authorizations where id = $1', [id])
      }
    },
  }
}
