import type { Database } from '../database/pool.ts'
import type { Signals } from '../database/signal.ts'
import type { Clock } from '../system/clock.ts'
import { PROJECTED } from './apply-batch.ts'

/** Read-your-own-writes: knows how far the read models have come, also when another process makes them. */
export interface Seen {
  /**
   * Waits until the read models hold what the log holds up to `position`, at most `timeoutMs`.
   *
   * @returns whether they do
   */
  waitFor(position: bigint, timeoutMs?: number): Promise<boolean>
  close(): void
}

export const DEFAULT_WAIT_MS = 500
/** Should a signal be lost. */
const LOOK_EVERY_MS = 100

export function watchSeen(deps: { readonly db: Database; readonly signals: Signals; readonly clock: Clock }): Seen {
  const { db, signals, clock } = deps
  let known = -1n
  const waiting = new Set<{ readonly position: bigint; readonly wake: () => void }>()

  const learn = (position: bigint) => {
    if (position <= known) return
    known = position
    for (const waiter of waiting) if (waiter.position <= known) waiter.wake()
  }
  const off = signals.on(PROJECTED, (payload) => {
    if (/^\d+$/.test(payload)) learn(BigInt(payload))
  })
  const look = async () => {
    const { rows } = await db.query<{ position: string | null }>(
      'select min(position) as position from read.checkpoints',
    )
    learn(BigInt(rows[0]?.position ?? -1))
  }

  return {
    waitFor: async (position, timeoutMs = DEFAULT_WAIT_MS) => {
      const deadline = clock.now() + timeoutMs
      while (known < position) {
        const left = deadline - clock.now()
        if (left <= 0) return false
        const bell = new AbortController()
        const waiter = { position, wake: () => bell.abort() }
        waiting.add(waiter)
        await clock.sleep(Math.min(left, LOOK_EVERY_MS), bell.signal)
        waiting.delete(waiter)
        // What was written stays written: a database that is away only leaves the view late.
        if (known < position) await look().catch(() => undefined)
      }
      return true
    },
    close: off,
  }
}
