/** Numbers that follow from a seed alone: the same plan again, wherever it runs. */
export interface Chance {
  /** From 0, below 1. */
  next(): number
  /** A whole number from 0, below `limit`. */
  below(limit: number): number
  between(least: number, most: number): number
  pick<T>(items: readonly [T, ...T[]]): T
  pick<T>(items: readonly T[]): T | undefined
}

/** mulberry32: 32 bits of state, and enough for a plan. */
export function chance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    between: (least, most) => least + next() * (most - least),
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
  }
}
