import { isUnavailable } from '../../infra/postgres/errors.ts'
import { PlatformError, type PublishJob } from '../../platforms/kit/platform.ts'
import type { Logger } from '../../infra/runtime/logger.ts'

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: PlatformError }

/**
 * A connector's answer or its classified failure. Anything else that it throws is our bug: it is logged, reported without its
 * text, and treated as ambiguous because nobody knows how far the call got.
 *
 * @throws what the platform did not cause: the service stops, or the vault's database is unavailable
 */
export async function answerOf<T>(
  work: {
    readonly logger: Logger
    readonly job: Pick<PublishJob, 'account'>
    readonly signal: AbortSignal
    /** Called for each failure, for what it says about the whole account. */
    onFailure(failure: PlatformError): Promise<void>
  },
  ask: () => Promise<T>,
): Promise<Answer<T>> {
  const { logger, job, signal } = work
  try {
    return { ok: true, value: await ask() }
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof PlatformError) {
      await work.onFailure(error)
      return { ok: false, failure: error }
    }
    if (isUnavailable(error)) throw error
    logger.error({ err: error, account: job.account.id, platform: job.account.platform }, 'connector failed')
    const message = 'An internal error occurred while calling the platform; see the service log.'
    return { ok: false, failure: new PlatformError('ambiguous', message, { cause: error }) }
  }
}
