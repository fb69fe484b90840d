import { Unavailable } from '../runtime/unavailable.ts'

/**
 * SQLSTATE classes of a server that is unreachable, starting, stopping, a standby or out of resources, as opposed to a bad
 * statement.
 */
const UNAVAILABLE = /^(08|53|57P0|58|25P03|25006)/

/** SQLSTATE of a wait for a lock that reached its time limit. */
export const LOCK_NOT_AVAILABLE = '55P03'

/** The SQLSTATE of a Postgres error, or `undefined` for other errors. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined
}

/** Whether the database or the log was unreachable or went away, so that the same work may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Unavailable) return true
  const state = sqlState(error)
  if (state !== undefined) return UNAVAILABLE.test(state)
  // Bugs are no outages, whatever they mention.
  if (error instanceof TypeError) return false
  return (
    error instanceof Error && /connect|terminated|timeout|ECONN|EPIPE|socket|Client was closed/i.test(error.message)
  )
}
