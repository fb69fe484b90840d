/** Tracks which origins have requests waiting for a connection. */
export interface Demand {
  /** @returns a function to call once the request has its connection or no longer needs one. Safe to call twice. */
  add(origin: string): () => void
  has(origin: string): boolean
}

/**
 * When a request in flight is aborted, undici reconnects although nothing is waiting (it requeues the aborted request and drops
 * it only once connected). Without this, a receiver that timed out would see a second, empty connection.
 */
export function connectionDemand(): Demand {
  const waiting = new Map<string, number>()
  return {
    add: (origin) => {
      waiting.set(origin, (waiting.get(origin) ?? 0) + 1)
      let served = false
      return () => {
        if (served) return
        served = true
        const left = (waiting.get(origin) ?? 0) - 1
        if (left > 0) waiting.set(origin, left)
        else waiting.delete(origin)
      }
    },
    has: (origin) => waiting.has(origin),
  }
}
