import type { Database } from '../../infra/postgres/pool.ts'
import { isoTime } from '../../infra/runtime/clock.ts'

/** When an account's comments were last checked. Times are ms since the epoch. */
export interface CommentCheck {
  readonly checkedAt: number
  /** When the whole window was last searched, also for replies made on the platform itself. */
  readonly sweptAt: number
  /** The current interval between checks. */
  readonly intervalMs: number
}

/** Not stored as events: an account that is checked every few minutes would add 100,000 meaningless ones a year. */
export interface CommentChecks {
  last(accountId: string): Promise<CommentCheck | undefined>
  note(accountId: string, check: CommentCheck): Promise<void>
  /** Stores why nothing could be fetched; the owner sees it until a check succeeds. */
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
