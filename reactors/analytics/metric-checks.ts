import type { Database } from '../../infra/postgres/pool.ts'

/** What came of the last look at an account's numbers. A look is no event; what it has found is. */
export interface MetricChecks {
  /** Why nothing could be fetched, for the owner. It is shown until a look goes well. */
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
