import type { Database } from '../../infra/postgres/pool.ts'
import { isoTime } from '../../infra/runtime/clock.ts'

/** When an account's comments were last looked at. Times are ms since the epoch. */
export interface CommentCheck {
  readonly checkedAt: number
  /** When all of the last days were looked through, also for answers made on the platform itself. */
  readonly sweptAt: number
  /** The pace that it is looked at with. */
  readonly intervalMs: number
}

/** No events: an account that is looked at every few minutes would have 100,000 a year that say nothing. */
export interface CommentChecks {
  last(accountId: string): Promise<CommentCheck | undefined>
  note(accountId: string, check: CommentCheck): Promise<void>
  /** Why nothing could be fetched, for the owner. It is shown until a look goes well. */
  noteFailure(accountId: string, error: string): Promise<void>
}

export function commentChecks(db: Database): CommentChecks {
  return {
    last: async (accountId) => {
      const { rows } = await db.query<{ checked_at: string; swept_at: string; interval_ms: string }>(
        `select checked_at, swept_at, interval_ms from service.comment_checks
         where account_id = $1 and checked_at is not null`,
        [accountId],
      )
      const [row] = rows
      return (
        row && {
          checkedAt: Date.parse(row.checked_at),
          sweptAt: Date.parse(row.swept_at),
          intervalMs: Number(row.interval_ms),
        }
      )
    },
    note: async (accountId, { checkedAt, sweptAt, intervalMs }) => {
      await db.query(
        `insert into service.comment_checks (account_id, checked_at, swept_at, interval_ms) values ($1, $2, $3, $4)
         on conflict (account_id) do update set checked_at = $2, swept_at = $3, interval_ms = $4, error = null`,
        [accountId, isoTime(checkedAt), isoTime(sweptAt), Math.round(intervalMs)],
      )
    },
    noteFailure: async (accountId, error) => {
      await db.query(
        `insert into service.comment_checks (account_id, error) values ($1, $2)
         on conflict (account_id) do update set error = $2`,
        [accountId, error],
      )
    },
  }
}
