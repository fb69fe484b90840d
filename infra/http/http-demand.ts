/** Which origins have requests that still wait for a connection. */
export interface Demand {
  /** @returns what to call once the request has its connection, or none is needed any more. Safe to call twice. */
  add(origin: string): () => void
  has(origin: string): boolean
}

/**
 * undici connects anew after a request was given up in flight, though nobody waits (it has queued the aborted request
 * again, and drops it only once connected). Without this a receiver that timed out would see a second, empty connection.
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
