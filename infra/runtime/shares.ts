/** A workspace takes at most this many times what it leaves free, so that others have room. As in `service.claim`. */
const MOST_OF_FREE = 3

/** @param held what the workspace already has */
export function hasShare(held: number, free: number): boolean {
  return free > 0 && (held === 0 || held + 1 <= MOST_OF_FREE * free)
}

/** Slots of this process that workspaces share. */
export interface Slots {
  free(): number
  heldBy(workspaceId: string): number
  /** Holds one more slot, whether or not one is free. */
  hold(workspaceId: string): void
  /** Holds a slot as soon as one is free. The workspace that holds the fewest is next. */
  take(workspaceId: string): Promise<void>
  release(workspaceId: string): void
}

/** @param size may change at any time; fewer slots take effect as those in use are released */
export function createSlots(size: () => number): Slots {
  const held = new Map<string, number>()
  let used = 0
  /** In turns: a workspace that has been served comes last. */
  const waiting = new Map<string, (() => void)[]>()
  const heldBy = (workspaceId: string) => held.get(workspaceId) ?? 0
  const hold = (workspaceId: string) => {
    used += 1
    held.set(workspaceId, heldBy(workspaceId) + 1)
  }
  const serveNext = () => {
    let least = ''
    for (const id of waiting.keys()) if (least === '' || heldBy(id) < heldBy(least)) least = id
    const line = waiting.get(least) ?? []
    const take = line.shift()
    waiting.delete(least)
    if (line.length > 0) waiting.set(least, line)
    hold(least)
    take?.()
  }

  return {
    free: () => size() - used,
    heldBy,
    hold,
    take: async (workspaceId) => {
      if (used < size()) return hold(workspaceId)
      await new Promise<void>((resolve) => {
        const before = waiting.get(workspaceId)
        if (before) before.push(resolve)
        else waiting.set(workspaceId, [resolve])
      })
    },
    release: (workspaceId) => {
      used -= 1
      const left = heldBy(workspaceId) - 1
      if (left > 0) held.set(workspaceId, left)
      else held.delete(workspaceId)
      while (waiting.size > 0 && used < size()) serveNext()
    },
  }
}

/** Slots without a queue: a caller gets one at once, or not at all. */
export interface Shares {
  /** @returns a function that releases the slot; undefined while the workspace has used up its share, or nothing is free */
  take(workspaceId: string): (() => void) | undefined
}

export function createShares(size: number): Shares {
  const slots = createSlots(() => size)
  return {
    take: (workspaceId) => {
      if (!hasShare(slots.heldBy(workspaceId), slots.free())) return undefined
      slots.hold(workspaceId)
      return () => slots.release(workspaceId)
    },
  }
}
