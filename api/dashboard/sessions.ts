import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Database } from '../../infra/postgres/pool.ts'
import type { UserRole } from '../../domain/workspace/role.ts'
import type { UserRow } from '../../projections/models/users.ts'
import { isoTime, type Clock } from '../../infra/runtime/clock.ts'
import { sameHash } from '../http/key-format.ts'
import type { Session } from '../http/session.ts'

/**
 * Sessions, in Postgres for all processes. A session is valid as long as its user exists with the password it began with, so
 * the event that removes the user or changes the password ends it, even if the process crashes right after.
 */
export interface Sessions {
  /**
   * Begins a session now. Only the browser keeps `token`.
   *
   * @returns undefined when the user was removed, or got another password, in the meantime
   */
  begin(user: UserRow): Promise<{ readonly token: string; readonly session: Session } | undefined>
  find(token: string): Promise<Session | undefined>
  /** The given sessions that are still valid. */
  lasting(tokenHashes: readonly string[]): Promise<ReadonlySet<string>>
  end(tokenHash: string): Promise<void>
  /** Keeps one session of a user across the change to a new password, and ends the others. */
  keepOnly(session: Session, passwordId: string): Promise<void>
  /** Calls the listener when a session is ended in this process, not in others. */
  whenEnded(listener: () => void): void
  /** A token known only to pages that the session's browser loaded from here. */
  csrfToken(tokenHash: string): string
  isCsrfToken(tokenHash: string, given: string): boolean
  sweep(): Promise<void>
}

const DAY_MS = 86_400_000
/** A session ends when unused for this long. */
const IDLE_MS = 7 * DAY_MS
/** A session ends after this time, however it is used. */
export const LONGEST_MS = 30 * DAY_MS
/** Use is recorded this often, not with every request. */
const NOTED_EVERY_MS = 3_600_000
/** More than a user's browsers need; beyond it, the oldest session ends. */
const MOST_OF_A_USER = 50
const TOKEN = /^[\w-]{43}$/

const FIND = `
select s.token_hash, s.created_at, s.expires_at, s.user_id, s.password_id, u.name, u.role, u.workspace_id, w.name as workspace_name
from service.sessions s
join read.users u on u.id = s.user_id and u.password_id = s.password_id and not u.removed
left join read.workspaces w on w.id = u.workspace_id
where s.token_hash = any($1) and s.expires_at > $2`

interface SessionRow {
  readonly token_hash: string
  readonly created_at: string
  readonly expires_at: string
  readonly user_id: string
  readonly password_id: string
  readonly name: string
  readonly role: UserRole
  readonly workspace_id: string
  readonly workspace_name: string | null
}

export function createSessions(db: Database, clock: Clock, secret: Buffer): Sessions {
  const csrfKey = Buffer.from(hkdfSync('sha256', secret, '', 'dashboard requests', 32))
  const csrfToken = (tokenHash: string) => createHmac('sha256', csrfKey).update(tokenHash).digest('base64url')

  const listeners = new Set<() => void>()
  const tellEnded = () => listeners.forEach((listener) => listener())

  const rowsOf = async (tokenHashes: readonly string[]): Promise<readonly SessionRow[]> => {
    const values = [tokenHashes, isoTime(clock.now())]
    return (await db.query<SessionRow>({ name: 'sessions', text: FIND, values })).rows
  }
  /** Extends a session by its use. @returns the new expiry, ISO 8601 UTC */
  const putOff = async ({ token_hash, created_at, expires_at }: SessionRow): Promise<string> => {
    const until = Math.min(clock.now() + IDLE_MS, Date.parse(created_at) + LONGEST_MS)
    if (until - Date.parse(expires_at) < NOTED_EVERY_MS) return expires_at
    await db.query('update service.sessions set expires_at = $2 where token_hash = $1', [token_hash, isoTime(until)])
    return isoTime(until)
  }

  return {
    begin: async (user) => {
      const token = randomBytes(32).toString('base64url')
      const tokenHash = hashOf(token)
      const [at, until] = [isoTime(clock.now()), isoTime(clock.now() + IDLE_MS)]
      await db.query(
        `with crowd as (
           select token_hash from service.sessions where user_id = $2 order by created_at desc offset $6
         ), gone as (delete from service.sessions where token_hash in (select token_hash from crowd))
         insert into service.sessions (token_hash, user_id, password_id, created_at, expires_at)
         values ($1, $2, $3, $4, $5)`,
        [tokenHash, user.id, user.passwordId, at, until, MOST_OF_A_USER - 1],
      )
      const [row] = await rowsOf([tokenHash])
      return row && { token, session: sessionOf(row, until) }
    },
    find: async (token) => {
      const [row] = TOKEN.test(token) ? await rowsOf([hashOf(token)]) : []
      return row && sessionOf(row, await putOff(row))
    },
    lasting: async (tokenHashes) => new Set((await rowsOf(tokenHashes)).map(({ token_hash }) => token_hash)),
    end: async (tokenHash) => {
      await db.query('delete from service.sessions where token_hash = $1', [tokenHash])
      tellEnded()
    },
    keepOnly: async ({ tokenHash, user }, passwordId) => {
      await db.query('update service.sessions set password_id = $2 where token_hash = $1', [tokenHash, passwordId])
      await db.query('delete from service.sessions where user_id = $1 and password_id <> $2', [user.id, passwordId])
      tellEnded()
    },
    whenEnded: (listener) => void listeners.add(listener),
    csrfToken,
    isCsrfToken: (tokenHash, given) => sameHash(hashOf(given), hashOf(csrfToken(tokenHash))),
    sweep: async () =>
      void (await db.query('delete from service.sessions where expires_at <= $1', [isoTime(clock.now())])),
  }
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function sessionOf(row: SessionRow, expiresAt: string): Session {
  return {
    tokenHash: row.token_hash,
    expiresAt,
    user: { id: row.user_id, name: row.name, role: row.role, passwordId: row.password_id },
    workspace: { id: row.workspace_id, name: row.workspace_name ?? row.workspace_id },
  }
}
