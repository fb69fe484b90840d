import type { Database } from '../../infra/postgres/pool.ts'
import type { Signals } from '../../infra/postgres/signal.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { PROJECTED } from './apply-batch.ts'
import { progressOf } from './tables.ts'

/** Read-your-own-writes: tracks the read models' position, even when another process updates them. */
export interface Seen {
  /**
   * Waits up to `timeoutMs` until the read models include the log up to `position`.
   *
   * @returns whether they do
   */
  waitFor(position: bigint, timeoutMs?: number): Promise<boolean>
  close(): void
}

interface Waiting {
  readonly position: bigint
  readonly since: number
  readonly deadline: number
  resolve(seen: boolean): void
}

export const DEFAULT_WAIT_MS = 500
/** How often to poll, in case a signal is lost. */
const LOOK_EVERY_MS = 100

export function watchSeen(deps: { readonly db: Database; readonly signals: Signals; readonly clock: Clock }): Seen {
  const { db, signals, clock } = deps
  let known = -1n
  let waiting: Waiting[] = []
  let watching = false
  let looking = false

  const settle = () => {
    const now = clock.now()
    waiting = waiting.filter(({ position, deadline, resolve }) => {
      if (position > known && now < deadline) return true
      resolve(position <= known)
      return false
    })
  }
  const learn = (position: bigint) => {
    if (position <= known) return
    known = position
    settle()
  }
  const off = signals.on(PROJECTED, (payload) => {
    if (/^\d+$/.test(payload)) learn(BigInt(payload))
  })
  /** Runs one query at a time and does not await it: an unresponsive database must not hold up expired waits. */
  const look = () => {
    if (looking) return
    looking = true
    progressOf(db)
      .then(({ position }) => learn(position))
      // The write itself is durable: an unavailable database only delays the view.
      .catch(() => undefined)
      .finally(() => (looking = false))
  }

  /** One timer for all waiters. */
  const watch = async () => {
    while (waiting.length > 0) {
      const next = Math.min(...waiting.map(({ deadline }) => deadline))
      await clock.sleep(Math.min(LOOK_EVERY_MS, Math.max(1, next - clock.now())))
      if (waiting.some(({ since }) => clock.now() - since >= LOOK_EVERY_MS)) look()
      settle()
    }
    watching = false
  }

  return {
    waitFor: (position, timeoutMs = DEFAULT_WAIT_MS) => {
      if (position <= known) return Promise.resolve(true)
      return new Promise((resolve) => {
        const since = clock.now()
        waiting.push({ position, since, deadline: since + timeoutMs, resolve })
        if (watching) return
        watching = true
        void watch()
      })
    },
    close: off,
  }
}
