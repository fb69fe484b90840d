import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Database } from '../../infra/postgres/pool.ts'
import type { UserRole } from '../../domain/workspace/role.ts'
import type { UserRow } from '../../projections/models/users.ts'
import { isoTime, type Clock } from '../../infra/runtime/clock.ts'
import { hashOf, sameHash } from '../../infra/runtime/key-format.ts'
import type { Session } from '../http/session.ts'

/**
 * Sessions, in Postgres for all processes. A session is valid as long as its user exists with the password it began with, so
 * the event that removes the user or changes the password ends it, even if the process crashes right after. It shows one of the
 * user's workspaces: when they are no longer in that one, the one of the others that they joined first.
 */
export interface Sessions {
  /**
   * Begins a session now. Only the browser keeps `token`.
   *
   * @param options.browser its name, if known
   * @param options.workspaceId which it shows; the one that the user joined first if absent
   * @returns undefined when the user was removed, or got another password, in the meantime
   */
  begin(
    user: Pick<UserRow, 'id' | 'passwordId'>,
    options?: { readonly browser?: string | undefined; readonly workspaceId?: string },
  ): Promise<{ readonly token: string; readonly session: Session } | undefined>
  /** The valid sessions of a user, the last used first. */
  list(userId: string): Promise<readonly ListedSession[]>
  find(token: string): Promise<Session | undefined>
  /** The given sessions that are still valid, each with the workspace that it shows. */
  lasting(tokenHashes: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The workspaces of a user, by name. */
  workspacesOf(userId: string): Promise<readonly SessionWorkspace[]>
  /** Shows another workspace from now on. @returns undefined when the user is not in it, or the session has ended */
  show(session: Session, workspaceId: string): Promise<Session | undefined>
  end(tokenHash: string): Promise<void>
  /** Ends all sessions of a user, or all but one. */
  endAll(userId: string, except?: string): Promise<void>
  /** Keeps one session of a user across the change to a new password, and ends the others. */
  keepOnly(session: Session, passwordId: string): Promise<void>
  /** Calls the listener when a session is ended, or shows another workspace, in this process, not in others. */
  whenEnded(listener: () => void): void
  /** A token known only to pages that the session's browser loaded from here, to show the workspace that it shows now. */
  csrfToken(session: Session): string
  isCsrfToken(session: Session, given: string): boolean
  sweep(): Promise<void>
}

export interface SessionWorkspace {
  readonly id: string
  readonly name: string
  readonly role: UserRole
}

/** What a user sees of a session. */
export interface ListedSession {
  /** From the hash of the token, which it does not reveal. */
  readonly id: string
  readonly tokenHash: string
  readonly browser: string | null
  readonly createdAt: string
  /** The last use, to the hour; null where an earlier version began the session. */
  readonly usedAt: string | null
  readonly expiresAt: string
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
/** 96 bits, in base64url. */
const ID_LENGTH = 16

const VALID = `
select s.token_hash, s.created_at, s.used_at, s.expires_at, s.browser, s.user_id, s.password_id,
  m.name, m.role, m.workspace_id, w.name as workspace_name
from service.sessions s
join read.users u on u.id = s.user_id and u.password_id = s.password_id
cross join lateral (
  select * from read.members o where o.user_id = u.id and not o.removed
  order by (o.workspace_id = s.workspace_id) is true desc, o.created_at, o.id limit 1
) m
left join read.workspaces w on w.id = m.workspace_id
where s.expires_at > $2 and `
const BY_TOKEN = { name: 'sessions', text: `${VALID} s.token_hash = any($1)` }
const WORKSPACES = `select m.workspace_id as id, coalesce(w.name, m.workspace_id) as name, m.role
from read.members m join read.users u on u.id = m.user_id left join read.workspaces w on w.id = m.workspace_id
where m.user_id = $1 and not m.removed order by 2, 1`
const SHOW = `update service.sessions s set workspace_id = $2 where token_hash = $1
  and exists (select from read.members m where m.user_id = s.user_id and m.workspace_id = $2 and not m.removed)`
const BY_USER = `${VALID} s.user_id = $1 order by coalesce(s.used_at, s.created_at) desc, s.token_hash`

interface SessionRow {
  readonly token_hash: string
  readonly created_at: string
  readonly used_at: string | null
  readonly expires_at: string
  readonly browser: string | null
  readonly user_id: string
  readonly password_id: string
  readonly name: string
  readonly role: UserRole
  readonly workspace_id: string
  readonly workspace_name: string | null
}

export function createSessions(db: Database, clock: Clock, secret: Buffer): Sessions {
  const derivedFor = (purpose: string) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
    return (tokenHash: string) => createHmac('sha256', key).update(tokenHash).digest('base64url')
  }
  const tokenOf = derivedFor('dashboard requests')
  const csrfToken = ({ tokenHash, workspace }: Session) => tokenOf(`${tokenHash} ${workspace.id}`)
  const derivedId = derivedFor('session ids')

  const listeners = new Set<() => void>()
  const tellEnded = () => listeners.forEach((listener) => listener())

  const rowsOf = async (tokenHashes: readonly string[]): Promise<readonly SessionRow[]> => {
    const values = [tokenHashes, isoTime(clock.now())]
    return (await db.query<SessionRow>({ ...BY_TOKEN, values })).rows
  }
  /** Extends a session by its use. @returns the new expiry, ISO 8601 UTC */
  const putOff = async ({ token_hash, created_at, used_at, expires_at }: SessionRow): Promise<string> => {
    const now = clock.now()
    if (now - Date.parse(used_at ?? created_at) < NOTED_EVERY_MS) return expires_at
    const until = isoTime(Math.min(now + IDLE_MS, Date.parse(created_at) + LONGEST_MS))
    const sql = 'update service.sessions set expires_at = $2, used_at = $3 where token_hash = $1'
    await db.query(sql, [token_hash, until, isoTime(now)])
    return until
  }

  return {
    begin: async (user, { browser, workspaceId } = {}) => {
      const token = randomBytes(32).toString('base64url')
      const tokenHash = hashOf(token)
      const [at, until] = [isoTime(clock.now()), isoTime(clock.now() + IDLE_MS)]
      await db.query(
        `with crowd as (
           select token_hash from service.sessions where user_id = $2 order by created_at desc offset $7
         ), gone as (delete from service.sessions where token_hash in (select token_hash from crowd))
         insert into service.sessions (token_hash, user_id, password_id, created_at, used_at, expires_at, browser, workspace_id)
         values ($1, $2, $3, $4, $4, $5, $6, $8)`,
        [tokenHash, user.id, user.passwordId, at, until, browser, MOST_OF_A_USER - 1, workspaceId],
      )
      const [row] = await rowsOf([tokenHash])
      return row && { token, session: sessionOf(row, until) }
    },
    list: async (userId) =>
      (await db.query<SessionRow>(BY_USER, [userId, isoTime(clock.now())])).rows.map((row) => ({
        id: `session_${derivedId(row.token_hash).slice(0, ID_LENGTH)}`,
        tokenHash: row.token_hash,
        browser: row.browser,
        createdAt: row.created_at,
        usedAt: row.used_at,
        expiresAt: row.expires_at,
      })),
    find: async (token) => {
      const [row] = TOKEN.test(token) ? await rowsOf([hashOf(token)]) : []
      return row && sessionOf(row, await putOff(row))
    },
    lasting: async (tokenHashes) =>
      new Map((await rowsOf(tokenHashes)).map(({ token_hash, workspace_id }) => [token_hash, workspace_id])),
    workspacesOf: async (userId) => (await db.query<SessionWorkspace>(WORKSPACES, [userId])).rows,
    show: async ({ tokenHash }, workspaceId) => {
      const { rowCount } = await db.query(SHOW, [tokenHash, workspaceId])
      const [row] = rowCount === 0 ? [] : await rowsOf([tokenHash])
      tellEnded()
      return row?.workspace_id === workspaceId ? sessionOf(row, row.expires_at) : undefined
    },
    end: async (tokenHash) => {
      await db.query('delete from service.sessions where token_hash = $1', [tokenHash])
      tellEnded()
    },
    endAll: async (userId, except = '') => {
      const sql = 'delete from service.sessions where user_id = $1 and token_hash <> $2'
      await db.query(sql, [userId, except])
      tellEnded()
    },
    keepOnly: async ({ tokenHash, user }, passwordId) => {
      await db.query('update service.sessions set password_id = $2 where token_hash = $1', [tokenHash, passwordId])
      await db.query('delete from service.sessions where user_id = $1 and password_id <> $2', [user.id, passwordId])
      tellEnded()
    },
    whenEnded: (listener) => void listeners.add(listener),
    csrfToken,
    isCsrfToken: (session, given) => sameHash(hashOf(given), hashOf(csrfToken(session))),
    sweep: async () =>
      void (await db.query('delete from service.sessions where expires_at <= $1', [isoTime(clock.now())])),
  }
}

function sessionOf(row: SessionRow, expiresAt: string): Session {
  return {
    tokenHash: row.token_hash,
    expiresAt,
    user: { id: row.user_id, name: row.name, role: row.role, passwordId: row.password_id },
    workspace: { id: row.workspace_id, name: row.workspace_name ?? row.workspace_id },
  }
}
