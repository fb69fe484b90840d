import type { Clock } from '../../infra/runtime/clock.ts'

/** No answer was found in time. */
export class TimedOut extends Error {
  constructor(limitMs: number) {
    super(`not answered within ${limitMs} ms`)
    this.name = 'TimedOut'
  }
}

export interface TimeLimit {
  /** @throws TimedOut when the work has not ended in time; it is not stopped */
  keep<T>(work: Promise<T>): Promise<T>
  close(): void
}

const LOOKS = 30

/**
 * Fails work that has not ended within `limitMs`, or up to a thirtieth later. One timer looks after all of it: Fastify's own
 * `handlerTimeout` makes a timer and a signal for each request, which is a twelfth of what taking a post costs.
 */
export function timeLimit(clock: Clock, limitMs: number): TimeLimit {
  /** In the order they came, with the look before which they came. */
  const open = new Map<(error: TimedOut) => void, number>()
  const closing = new AbortController()
  let look = 0

  const watch = async () => {
    while (!closing.signal.aborted) {
      await clock.sleep(limitMs / LOOKS, closing.signal)
      look += 1
      for (const [fail, before] of open) {
        if (look - before <= LOOKS) break
        open.delete(fail)
        fail(new TimedOut(limitMs))
      }
    }
  }
  void watch()

  return {
    keep: (work) =>
      new Promise((resolve, reject) => {
        open.set(reject, look)
        work.then(resolve, reject).finally(() => open.delete(reject))
      }),
    close: () => closing.abort(),
  }
}
