import { holdsOf, type Hold } from './holds.ts'
import { LOCKS } from './locks.ts'
import { transaction, type Database } from './pool.ts'
import { isoTime } from '../runtime/clock.ts'

/*
 * A service whose log was restored from a backup does not know what it has published since. It is held (`holds.ts`) until a
 * person releases it; meanwhile each piece of work that may already be live is looked for on its platform. Numeric times are ms
 * since the epoch, all others ISO 8601 UTC.
 */

/** The name of the hold. */
export const RESTORED = 'restore'

/**
 * The outcome of looking for a piece of work:
 * - `found`: it was there, and is settled;
 * - `absent`: it is not there, and is sent after the release;
 * - `unknown`: this cannot be determined, so a person decides;
 * - `unreachable`: the platform could not be asked, and is asked again;
 * - `new`: it was requested after the restore;
 * - `skipped`: it is a feed, and new items in its next check are not posted.
 */
export const OUTCOMES = ['found', 'absent', 'unknown', 'unreachable', 'new', 'skipped'] as const
export type Outcome = (typeof OUTCOMES)[number]

export interface Look {
  readonly outcome: Outcome
  /** The reason, for people. */
  readonly reason?: string
  /** When to look again; absent: never. */
  readonly lookAt?: number
}

/** An agenda row that was looked for. */
export interface RestoredWork {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly workspaceId: string
  readonly platform?: string | undefined
  readonly accountId?: string | undefined
  /** The start of the post or reply. */
  readonly text?: string | undefined
  readonly dueAt: string
  readonly outcome: Outcome
  readonly reason: string
}

/** Kinds of work with visible results. */
const VISIBLE = ['publish', 'send', 'schedule', 'recycle', 'feed']
const TEXT_LENGTH = 60
/** Agenda rows that may have been done before the log was restored at `$2`. */
const MAY_BE_DONE = `a.kind = any($1) and (a.kind in ('publish', 'send', 'feed') or a.part = 'post' or a.due_at <= $2)`
const COLUMNS = `w.id, w.kind, w.subject, w.workspace_id as "workspaceId", w.platform, w.account_id as "accountId", w.text,
  w.due_at as "dueAt", w.outcome, w.reason`

/** Holds the service and discards the results of an earlier restore. */
export async function holdForRestore(db: Database, now: number): Promise<void> {
  const at = new Date(now)
  await transaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [LOCKS.claim])
    await client.query('truncate service.restored_work')
    await client.query('insert into service.restores (at) values ($1) on conflict do nothing', [at])
    // A hold that came with the backup is older than this restore.
    await client.query(
      `insert into service.holds (name, since) values ($1, $2)
       on conflict (name) do update set since = excluded.since, until = null`,
      [RESTORED, at],
    )
  })
}

/** `undefined` unless the log was restored and not yet released. */
export async function restoreHold(db: Database): Promise<Hold | undefined> {
  return (await holdsOf(db)).find(({ name }) => name === RESTORED)
}

/** When the log was last restored; `undefined` if never. */
export async function restoredAt(db: Pick<Database, 'query'>): Promise<number | undefined> {
  const { rows } = await db.query<{ at: string | null }>('select max(at) as at from service.restores')
  return rows[0]?.at == null ? undefined : Date.parse(rows[0].at)
}

/** A row of the agenda. */
export interface DueRow {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly part: string
  readonly lane: string
  readonly due_at: string
  /** The outcome of an earlier look. */
  readonly noted: Pick<RestoredWork, 'dueAt' | 'outcome'> | null
}

/** What to look for at `now`, oldest first. */
export async function toLookFor(db: Database, since: string, now: number): Promise<readonly DueRow[]> {
  const { rows } = await db.query<DueRow>(
    `select a.id, a.kind, a.subject, a.part, a.lane, a.due_at,
       case when w.id is not null then json_build_object('dueAt', w.due_at, 'outcome', w.outcome) end as noted
     from read.agenda a left join service.restored_work w using (id)
     where ${MAY_BE_DONE} and (w.id is null or w.outcome = 'found' or w.look_at <= $3) order by a.due_at, a.id`,
    [VISIBLE, since, new Date(now)],
  )
  return rows.map(({ noted, ...row }) => ({
    ...row,
    noted: noted && { ...noted, dueAt: isoTime(Date.parse(noted.dueAt)) },
  }))
}

export async function noteLook(
  db: Pick<Database, 'query'>,
  work: Pick<RestoredWork, 'id' | 'kind' | 'subject' | 'workspaceId' | 'platform' | 'accountId' | 'text' | 'dueAt'>,
  { outcome, reason = '', lookAt }: Look,
): Promise<void> {
  const { id, kind, subject, workspaceId, platform, accountId, text = '', dueAt } = work
  await db.query(
    `insert into service.restored_work (id, kind, subject, workspace_id, platform, account_id, text, due_at, outcome, reason, look_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (id) do update set workspace_id = excluded.workspace_id, platform = excluded.platform,
       account_id = excluded.account_id, text = excluded.text, outcome = excluded.outcome, reason = excluded.reason,
       look_at = excluded.look_at`,
    [
      ...[id, kind, subject, workspaceId, platform, accountId, text.slice(0, TEXT_LENGTH), dueAt],
      ...[outcome, reason, lookAt === undefined ? null : new Date(lookAt)],
    ],
  )
}

/** Looked-for work that is still pending: first what a person has to decide, then by due time. */
export async function stillPending(
  db: Database,
  options: { readonly limit?: number; readonly workspaceId?: string; readonly outcomes?: readonly Outcome[] },
): Promise<readonly RestoredWork[]> {
  const { limit, workspaceId, outcomes } = options
  const { rows } = await db.query<RestoredWork>(
    `select ${COLUMNS} from service.restored_work w join read.agenda a using (id)
     where ($1::text is null or w.workspace_id = $1) and ($2::text[] is null or w.outcome = any($2)) and w.outcome <> 'found'
     order by w.outcome not in ('unknown', 'unreachable'), w.due_at, w.id limit $3`,
    [workspaceId ?? null, outcomes ?? null, limit ?? null],
  )
  return rows.map(({ platform, accountId, ...work }) => ({
    ...work,
    ...(platform && { platform }),
    ...(accountId && { accountId }),
  }))
}

/** How many were found and settled, and how many are left to look for. */
export async function progressOfLooks(
  db: Database,
  since: string,
): Promise<{ readonly found: number; readonly left: number }> {
  const { rows } = await db.query<{ found: number; left: number }>(
    `select (select count(*)::int from service.restored_work where outcome = 'found') as found, (
       select count(*)::int from read.agenda a left join service.restored_work w using (id)
       where ${MAY_BE_DONE} and (w.id is null or w.outcome = 'found')
     ) as left`,
    [VISIBLE, since],
  )
  return rows[0] ?? { found: 0, left: 0 }
}

/** Whether new items of the feed must not be posted, because they may have been before the log was restored. */
export async function isSkipped(db: Pick<Database, 'query'>, feedId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from service.restored_work where kind = 'feed' and subject = $1 and outcome = 'skipped'`,
    [feedId],
  )
  return rowCount === 1
}

/** Makes the feed's next check an ordinary one. */
export async function endSkipping(db: Pick<Database, 'query'>, feedId: string): Promise<void> {
  await db.query(`delete from service.restored_work where kind = 'feed' and subject = $1`, [feedId])
}
