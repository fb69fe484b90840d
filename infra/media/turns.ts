/** Lets in one caller at a time, and the workspaces in turn. */
export function createTurns() {
  const waiting = new Map<string, (() => void)[]>()
  let isTaken = false
  return {
    next: async (workspaceId: string): Promise<void> => {
      if (!isTaken) isTaken = true
      else {
        const own = waiting.get(workspaceId) ?? []
        waiting.set(workspaceId, own)
        await new Promise<void>((resolve) => own.push(resolve))
      }
    },
    end: (): void => {
      const [first] = waiting
      if (!first) isTaken = false
      else {
        const [workspaceId, [next, ...more]] = first
        waiting.delete(workspaceId)
        if (more.length > 0) waiting.set(workspaceId, more)
        next?.()
      }
    },
  }
}
