import type { OperatorNotices } from '../../infra/postgres/operator-notices.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'

/** By cause, such as `database`: each rejects with what is wrong. */
export type ServerChecks = Readonly<Record<string, () => Promise<unknown>>>

const EVERY_MS = 60_000
/** What is over sooner, such as a restart, needs nobody. */
const LASTS_MS = 5 * 60_000

interface Streak {
  readonly isWrong: boolean
  readonly since: number
  isTold: boolean
}

/**
 * Looks every minute whether the servers are well, and tells what has been wrong for five minutes, and when it has been well for
 * as long. Nothing here needs the log or a read model, which may be what is wrong.
 */
export async function watchServer(
  {
    checks,
    notices,
    tell,
    clock,
    logger,
  }: {
    readonly checks: ServerChecks
    readonly notices: OperatorNotices
    /** @param error what is wrong; undefined when it is over */
    tell(cause: string, error: string | undefined): Promise<void>
    readonly clock: Clock
    readonly logger: Logger
  },
  signal: AbortSignal,
): Promise<void> {
  const streaks = new Map<string, Streak>()
  const look = async (cause: string, check: () => Promise<unknown>) => {
    const error = await check().then(
      () => undefined,
      (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
    )
    const isWrong = error !== undefined
    let streak = streaks.get(cause)
    if (streak?.isWrong !== isWrong) streaks.set(cause, (streak = { isWrong, since: clock.now(), isTold: false }))
    if (clock.now() - streak.since < LASTS_MS) return
    if (isWrong) {
      if (await notices.begin(cause)) await tell(cause, error)
    } else if (!streak.isTold) {
      const isFirst = await notices.end(cause)
      streak.isTold = true
      if (isFirst) await tell(cause, undefined)
    }
  }
  while (!signal.aborted) {
    await Promise.all(
      Object.entries(checks).map(([cause, check]) =>
        look(cause, check).catch((error: unknown) => logger.warn({ err: error, cause }, 'the operator was not told')),
      ),
    )
    await clock.sleep(EVERY_MS, signal)
  }
}
