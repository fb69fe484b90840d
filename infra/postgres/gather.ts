interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Concurrent calls: more than one, so that a call that hangs does not block the others. */
const AT_ONCE = 2

/**
 * Batches many requests into few calls: requests that arrive during a call share the next one, so any number of concurrent
 * callers take few round trips. A single request is sent at once.
 *
 * @param run returns the results in the order of the items; its failure rejects all of them
 * @param most items per call
 */
export function gather<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  most: number,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
  let running = 0

  const flush = async (): Promise<void> => {
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result))
    } catch (error) {
      batch.forEach(({ reject }) => reject(error))
    }
    if (waiting.length > 0) void flush()
    else running -= 1
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (running >= AT_ONCE || waiting.length > 1) return
      running += 1
      // Batches the callers of one event loop turn.
      setImmediate(() => (waiting.length > 0 ? void flush() : (running -= 1)))
    })
}
