/** A workspace takes at most this many times what it leaves free, so that others have room. As in `service.claim`. */
const MOST_OF_FREE = 3

/** @param held what the workspace already has */
export function hasShare(held: number, free: number): boolean {
  return free > 0 && (held === 0 || held + 1 <= MOST_OF_FREE * free)
}

/** Slots of this process that workspaces share. */
export interface Shares {
  /** @returns a function that releases the slot; undefined while the workspace has used up its share, or nothing is free */
  take(workspaceId: string): (() => void) | undefined
}

export function createShares(size: number): Shares {
  const held = new Map<string, number>()
  let used = 0
  const count = (workspaceId: string, by: 1 | -1) => {
    used += by
    const left = (held.get(workspaceId) ?? 0) + by
    if (left > 0) held.set(workspaceId, left)
    else held.delete(workspaceId)
  }
  return {
    take: (workspaceId) => {
      if (!hasShare(held.get(workspaceId) ?? 0, size - used)) return undefined
      count(workspaceId, 1)
      return () => count(workspaceId, -1)
    },
  }
}
