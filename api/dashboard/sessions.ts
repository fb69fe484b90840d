import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Database } from '../../infra/postgres/pool.ts'
import type { UserRow } from '../../projections/models/users.ts'
import { isoTime, type Clock } from '../../infra/runtime/clock.ts'
import { sameHash } from '../http/key-format.ts'
import type { Session } from '../http/session.ts'

/**
 * Sessions, in Postgres for all processes. Each is good as long as its user is there with the password that it began with, so
 * the event that removes a user or changes the password ends them, whatever dies after it.
 */
export interface Sessions {
  /**
   * Times are counted from now. `token` is the browser's to keep.
   *
   * @returns undefined when the user was removed, or given another password, meanwhile
   */
  begin(user: UserRow): Promise<{ readonly token: string; readonly session: Session } | undefined>
  find(token: string): Promise<Session | undefined>
  /** Those of these sessions that still are. */
  lasting(tokenHashes: readonly string[]): Promise<ReadonlySet<string>>
  end(tokenHash: string): Promise<void>
  /** Lets one session of a user outlive the change to a new password, and ends the others. */
  keepOnly(session: Session, passwordId: string): Promise<void>
  /** Has the listener hear of each end that is made here; of those in other processes it does not. */
  whenEnded(listener: () => void): void
  /** What a page that the session's browser has loaded from here knows, and no other page. */
  csrfToken(tokenHash: string): string
  isCsrfToken(tokenHash: string, given: string): boolean
  sweep(): Promise<void>
}

const DAY_MS = 86_400_000
/** Unused for as long, a session ends. */
const IDLE_MS = 7 * DAY_MS
/** However it is used, it ends after this time. */
export const LONGEST_MS = 30 * DAY_MS
/** Use is noted this often: not with each request. */
const NOTED_EVERY_MS = 3_600_000
/** What has more of them than anybody's browsers would lets go of the oldest. */
const MOST_OF_A_USER = 50
const TOKEN = /^[\w-]{43}$/

const FIND = `
select s.token_hash, s.created_at, s.expires_at, s.user_id, s.password_id, u.name, u.workspace_id, w.name as workspace_name
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
  /** How long it lasts from now on. */
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
        [tokenHash, user.id, user.password_id, at, until, MOST_OF_A_USER - 1],
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
    user: { id: row.user_id, name: row.name, passwordId: row.password_id },
    workspace: { id: row.workspace_id, name: row.workspace_name ?? row.workspace_id },
  }
}
