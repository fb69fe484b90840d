import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Database } from '../../infra/postgres/pool.ts'
import type { FlowSecrets } from '../../infra/oidc/identity-provider.ts'
import { isoTime, type Clock } from '../../infra/runtime/clock.ts'
import { hashOf, sameHash } from '../../infra/runtime/key-format.ts'

/** A sign-in at the provider, begun in one browser. */
export interface Flow {
  /** Where the browser goes afterwards: a path of the dashboard. */
  readonly path: string
  /** Of a user who links their identity, with the session they do it in. */
  readonly linking?: { readonly userId: string; readonly sessionHash: string }
}

/**
 * Sign-ins in progress, in Postgres for all processes. Only the browser has the token that state, nonce and proof key derive from;
 * the row makes sure that it is used once.
 */
export interface SignInFlows {
  begin(flow: Flow): Promise<{ readonly token: string; readonly secrets: FlowSecrets }>
  /** Undefined unless the flow began in this browser and has neither ended nor expired. Of two calls at once, one gets it. */
  end(token: string, state: string): Promise<(Flow & { readonly secrets: FlowSecrets }) | undefined>
}

/** How long (ms) somebody has to sign in at the provider. */
export const FLOW_MS = 10 * 60_000
const TOKEN = /^[\w-]{43}$/

interface FlowRow {
  readonly path: string
  readonly user_id: string | null
  readonly session_hash: string | null
}

export function createSignInFlows(db: Database, clock: Clock, secret: Buffer): SignInFlows {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sign-in flows', 32))
  const secretsOf = (token: string): FlowSecrets => {
    const derived = (use: string) => createHmac('sha256', key).update(`${use} ${token}`).digest('base64url')
    return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') }
  }
  return {
    begin: async ({ path, linking }) => {
      const token = randomBytes(32).toString('base64url')
      await db.query(
        `insert into service.sign_in_flows (token_hash, path, user_id, session_hash, expires_at)
         values ($1, $2, $3, $4, $5)`,
        [hashOf(token), path, linking?.userId, linking?.sessionHash, isoTime(clock.now() + FLOW_MS)],
      )
      return { token, secrets: secretsOf(token) }
    },
    end: async (token, state) => {
      if (!TOKEN.test(token)) return undefined
      const secrets = secretsOf(token)
      // Before the flow ends: another site can send a browser here, but does not know the state.
      if (!sameHash(hashOf(state), hashOf(secrets.state))) return undefined
      const { rows } = await db.query<FlowRow>(
        `delete from service.sign_in_flows where token_hash = $1 and expires_at > $2 returning path, user_id, session_hash`,
        [hashOf(token), isoTime(clock.now())],
      )
      if (!rows[0]) return undefined
      const { path, user_id: userId, session_hash: sessionHash } = rows[0]
      return { path, secrets, ...(userId !== null && sessionHash !== null && { linking: { userId, sessionHash } }) }
    },
  }
}

/** @param now ms since the epoch */
export async function sweepFlows(db: Database, now: number): Promise<void> {
  await db.query('delete from service.sign_in_flows where expires_at <= $1', [isoTime(now)])
}
