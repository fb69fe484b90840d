import type { Clock } from '../../infra/runtime/clock.ts'

/** The work did not end in time. */
export class TimedOut extends Error {
  constructor(limitMs: number) {
    super(`no response within ${limitMs} ms`)
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
 * Fails work that has not ended within `limitMs`, up to a thirtieth late. One timer serves all requests: Fastify's own
 * `handlerTimeout` creates a timer and a signal per request, which is a twelfth of the cost of accepting a post.
 */
export function timeLimit(clock: Clock, limitMs: number): TimeLimit {
  /** In order of arrival, with the number of ticks before it. */
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
