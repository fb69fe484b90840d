import { Refusal } from '../../domain/core/errors.ts'
import { isUnavailable } from '../../infra/postgres/errors.ts'
import { NewerDatabase } from '../../infra/postgres/migrate.ts'
import { UnknownMasterKey } from '../../infra/postgres/master-key.ts'
import { NotInstalled } from '../../infra/runtime/optional-packages.ts'
import { SettingsError } from '../../infra/runtime/settings.ts'

/** Errors that the user can fix get one line; unexpected ones get their stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ([Refusal, SettingsError, NotInstalled, NewerDatabase].some((known) => error instanceof known))
    return error.message
  if (error instanceof UnknownMasterKey) return `${error.message} (docs/operations.md, "Rotating the master key")`
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}. Another program is using this port: set PORT (the sandbox uses the next one, or SANDBOX_PORT) or METRICS_PORT.`
  }
  if (isUnavailable(error)) {
    return `A server cannot be reached: ${error.message}. Run "fanfare doctor" to see which, and what to check.`
  }
  return error.stack ?? error.message
}
