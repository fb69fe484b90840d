/** At most so much work at once; what comes later waits, in the order it came. */
export function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // Handed on to who waits longest.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
