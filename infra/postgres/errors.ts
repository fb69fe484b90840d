/** SQLSTATE classes of a server that is away, starting, stopping, a standby or out of resources, not of a wrong statement. */
const UNAVAILABLE = /^(08|53|57P0|58|25P03|25006)/

/** The SQLSTATE of a Postgres error, if it is one. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined
}

/** Whether the database could not be reached or went away, so that the same work may succeed later. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return UNAVAILABLE.test(state)
  return (
    error instanceof Error && /connect|terminated|timeout|ECONN|EPIPE|socket|Client was closed/i.test(error.message)
  )
}
