import { isoTime, type Clock } from '../runtime/clock.ts'
import type { Database } from './pool.ts'

/** Who of all processes tells the operator. */
export interface OperatorNotices {
  /** Whether this process tells now that something is wrong: one does, every six hours. */
  begin(cause: string): Promise<boolean>
  /** Whether this process tells now that it is over. @throws Error when Postgres is away */
  end(cause: string): Promise<boolean>
}

const AGAIN_MS = 6 * 3_600_000

/** Agreed on in Postgres; while that is away, each process tells for itself. */
export function createOperatorNotices(db: Database, clock: Clock): OperatorNotices {
  const own = new Map<string, { readonly at: number; readonly isShared: boolean }>()
  return {
    begin: async (cause) => {
      const now = clock.now()
      const before = own.get(cause)
      if (before && now - before.at < AGAIN_MS) return false
      const claimed = await db
        .query(
          `insert into service.operator_notices as n (cause, told_at) values ($1, $2)
           on conflict (cause) do update set told_at = excluded.told_at where n.told_at <= $3 returning 1`,
          [cause, isoTime(now), isoTime(now - AGAIN_MS)],
        )
        .catch(() => undefined)
      if (claimed?.rowCount === 0) return false
      own.set(cause, { at: now, isShared: claimed !== undefined })
      return true
    },
    end: async (cause) => {
      const { rowCount } = await db.query('delete from service.operator_notices where cause = $1', [cause])
      const before = own.get(cause)
      own.delete(cause)
      return rowCount === 1 || before?.isShared === false
    },
  }
}
