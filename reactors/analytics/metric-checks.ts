import type { Database } from '../../infra/postgres/pool.ts'

/** The outcome of the last check of an account's metrics. A check is not an event; what it finds is. */
export interface MetricChecks {
  /** Stores why nothing could be fetched; the owner sees it until a check succeeds. */
  noteFailure(accountId: string, error: string): Promise<void>
  noteSuccess(accountId: string): Promise<void>
}

export function metricChecks(db: Database): MetricChecks {
  return {
    noteFailure: async (accountId, error) => {
      await db.query(
        `insert into service.metric_checks (account_id, error) values ($1, $2)
         on conflict (account_id) do update set error = $2`,
        [accountId, error],
      )
    },
    noteSuccess: async (accountId) => {
      await db.query('delete from service.metric_checks where account_id = $1', [accountId])
    },
  }
}
