import type { Clock } from '../system/clock.ts'
import { isUnavailable } from './errors.ts'

/** How long (ms) a start waits for servers that are not there yet, or go away amid it. */
const START_PATIENCE_MS = 120_000

/**
 * Does a part of a start, again and again as long as a server it needs can't be reached.
 *
 * @param work may be done any number of times
 * @param progress told once, in plain words, that it waits
 * @throws what the work throws for another reason, or when the patience is over
 */
export async function whenReachable<T>(
  work: () => Promise<T>,
  clock: Clock,
  progress: (message: string) => void,
): Promise<T> {
  const deadline = clock.now() + START_PATIENCE_MS
  for (let told = false; ; told = true) {
    try {
      return await work()
    } catch (error) {
      const unreachable = isUnavailable(error) || (error instanceof Error && error.name === 'LogUnavailable')
      if (!unreachable || clock.now() > deadline) throw error
      if (!told)
        progress(`waiting for a server that can not be reached yet: ${error instanceof Error ? error.message : ''}`)
      await clock.sleep(1_000)
    }
  }
}
