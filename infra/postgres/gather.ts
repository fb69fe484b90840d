interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Calls under way at once: one that hangs keeps the others waiting no longer than it must. */
const AT_ONCE = 2

/**
 * Makes few calls of many: while they are under way, what is asked for gathers and goes with the next, so that however many
 * ask at once share few round trips. One that asks alone is served at once.
 *
 * @param run gives the results in the order of the items; when it fails, it fails for all of them
 * @param most items in one call
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
      // Callers of the same turn of the event loop travel together.
      setImmediate(() => (waiting.length > 0 ? void flush() : (running -= 1)))
    })
}
