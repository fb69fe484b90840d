import type { HealthChecks } from '../api/health.ts'
import type { Core } from '../main.ts'
import type { NatsHands } from '../reactors/nats-hands.ts'

/** Longer than any check should take (ms). */
const CHECK_TIMEOUT_MS = 2_000
/** What is due and in nobody's hands for this long (ms) means that no worker runs. */
const OVERDUE_MS = 60_000

/** What `/readyz` looks at: the log, the database, the read models, the agenda and the hints. */
export function healthChecks(core: Core, nats: readonly NatsHands[]): HealthChecks {
  const { log, db, projector, clock } = core
  const within = async (check: Promise<unknown>) => {
    const timeout = clock.sleep(CHECK_TIMEOUT_MS).then(() => {
      throw new Error(`no answer within ${CHECK_TIMEOUT_MS / 1000} s`)
    })
    await Promise.race([check, timeout])
  }
  return {
    log: () => within(log.ping()),
    database: () => within(db.query('select 1')),
    projections: async () => {
      const halted = [...projector.halted()].map(([name, reason]) => `${name} halted at ${reason}`)
      if (halted.length > 0) throw new Error(halted.join('; '))
    },
    agenda: () =>
      within(
        db
          .query<{ overdue: string }>(
            `select count(*) as overdue from read.agenda
             where due_at < $1 and (lease_until is null or lease_until < $1)`,
            [new Date(clock.now() - OVERDUE_MS)],
          )
          .then(({ rows }) => {
            if (rows[0] && rows[0].overdue !== '0') {
              throw new Error(
                `${rows[0].overdue} rows are due for more than ${OVERDUE_MS / 1000} s; is a reactor running?`,
              )
            }
          }),
      ),
    ...(nats[0] && {
      hints: async () => {
        if (!nats[0]?.connected()) throw new Error('NATS is away; work is done by the process that finds it')
      },
    }),
  }
}
