import type { Teardown } from './estate.ts'

/** What a test has by itself: work to be done at the end, the last first. */
export function teardowns(): Teardown & { end(): Promise<void> } {
  const works: (() => unknown)[] = []
  return {
    teardown: (work: () => unknown) => void works.push(work),
    end: async () => {
      for (let work = works.pop(); work; work = works.pop()) await work()
    },
  }
}
