import { createSlots } from '../../infra/runtime/shares.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { TimedOut } from './time-limit.ts'

/** Handlers in progress for one workspace: the more there are, the more appends share a commit. */
const ALONE = 64
/** And while several workspaces ask. With more, each takes longer, and hardly more are done. */
const TOGETHER = 16
/** Several workspaces ask if two did within this time (ms). */
const REMEMBERED_MS = 1_000
/** A handler in progress for two of these (ms) waits for something else, so that the next may have its turn. */
const LOOK_EVERY_MS = 50
/** Less than a request may take: what its client has been told has failed must not be done later. */
const LONGEST_WAIT_MS = 25_000

/** Runs handlers in turns: the workspace with the fewest in progress is next, however many requests others send. */
export interface Turns {
  /** @throws TimedOut when its turn comes too late; it is not run then */
  run<T>(workspaceId: string, handle: () => Promise<T>): Promise<T>
}

export function createTurns(clock: Clock): Turns {
  let last = ''
  let togetherUntil = -Infinity
  const slots = createSlots(() => (clock.now() < togetherUntil ? TOGETHER : ALONE))
  /** What ends each turn, in order of arrival, with the number of looks before it. */
  const open = new Map<() => void, number>()
  let looks = 0
  let isWatched = false

  const watch = async () => {
    isWatched = true
    while (open.size > 0) {
      await clock.sleep(LOOK_EVERY_MS)
      looks += 1
      for (const [end, before] of open) {
        if (looks - before <= 2) break
        end()
      }
    }
    isWatched = false
  }

  return {
    run: async (workspaceId, handle) => {
      if (workspaceId !== last && last !== '') togetherUntil = clock.now() + REMEMBERED_MS
      last = workspaceId
      const asked = clock.now()
      await slots.take(workspaceId)
      if (clock.now() - asked > LONGEST_WAIT_MS) {
        slots.release(workspaceId)
        throw new TimedOut(LONGEST_WAIT_MS)
      }
      const end = () => {
        if (open.delete(end)) slots.release(workspaceId)
      }
      open.set(end, looks)
      if (!isWatched) void watch()
      return handle().finally(end)
    },
  }
}
