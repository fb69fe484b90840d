/** One contender's result in one round. Latencies in ms, where individual operations were timed. */
export interface Measured {
  /** When a cost is measured, the cost in the comparison's own unit. */
  readonly perSecond: number
  readonly p50?: number
  readonly p99?: number
}

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spread(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('nothing was measured')
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** For an even number of values, the mean of the middle two, so that neither side is favored. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [below = NaN, above = NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return (below + above) / 2
}

/** The smallest value that at least `percent` of the values do not exceed (nearest rank). */
export function percentile(values: ArrayLike<number>, percent: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN
}

/** Ratios per round, because only measurements within the same seconds had the same machine conditions. */
export function ratios(ours: readonly Measured[], theirs: readonly Measured[]): Spread {
  return spread(ours.map(({ perSecond }, round) => perSecond / (theirs[round]?.perSecond ?? NaN)))
}
