/** Limits concurrent work to `most`; the rest waits in FIFO order. */
export function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // Hand the slot to the longest waiter.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
