import type { Clock } from '../../infra/runtime/clock.ts'

/** Limits concurrent work to `most`; the rest waits in FIFO order. */
export function hands(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let busy = 0
  return async (work) => {
    if (busy < most) busy += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }
}

/** Starts work at each of these moments (ms since the epoch, ascending), without waiting for earlier work. */
export async function atMoments<T>(
  clock: Clock,
  moments: readonly number[],
  work: (index: number) => Promise<T>,
): Promise<readonly T[]> {
  const begun: Promise<T>[] = []
  for (const [index, moment] of moments.entries()) {
    for (let now = clock.now(); now < moment; now = clock.now()) await clock.sleep(moment - now)
    begun.push(work(index))
  }
  return Promise.all(begun)
}

/** This many moments, starting at `from`. */
export function moments(from: number, everyMs: number, amount: number): readonly number[] {
  return Array.from({ length: amount }, (_, index) => from + index * everyMs)
}
