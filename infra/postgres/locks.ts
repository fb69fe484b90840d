/** The advisory locks of the service, in one place so that no number is used twice. Every process must use the same ones. */
export const LOCKS = {
  /** One process migrates at a time. */
  migration: '7305808869230502',
  /** One process lays out the read models at a time. */
  layout: '7305808869230503',
  /** Taken by `service.claim` (`migrations/003-agenda.ts`): nothing is leased while it is held. */
  claim: '7305808869230504',
  /** Held while read models are built beside the live ones. */
  rebuild: '7305808869230505',
  /** One process looks for restored posts at a time: two could match the same published post to different look-alikes. */
  search: '7305808869230506',
  /** One process re-encrypts secrets at a time. */
  rotation: '7305808869230507',
  /** One process extends the hash tree at a time, on schedule. */
  tree: '7305808869230508',
  /** One process rehearses an upgrade at a time. */
  rehearsal: '7305808869230509',
  /** With the hash of an API key's id: one of its requests at a time uses up budgets. One of PostgreSQL's pairs of numbers. */
  spending: 730580886,
} as const

/**
 * How long (ms) a change of a table waits for transactions that use it. Everyone who comes later waits behind it, so it gives up
 * and tries again.
 */
const TRANSACTIONS_MS = 500
/** How long (ms) it waits for a vacuum of the table, which gives way after a second. Meanwhile no one waits behind it. */
const VACUUM_MS = 10_000

/** Statements to begin a transaction with that alters or drops these tables. */
export function beforeAltering(tables: readonly string[]): string {
  const transactions = `set local lock_timeout = ${TRANSACTIONS_MS}`
  if (tables.length === 0) return transactions
  return `set local lock_timeout = ${VACUUM_MS};
    lock table ${tables.join(', ')} in share update exclusive mode;
    ${transactions}`
}
