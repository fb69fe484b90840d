/** The middle of the values, or halfway between the two in the middle; undefined of none. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor((sorted.length - 1) / 2)
  const [low, high] = [sorted[middle], sorted[sorted.length - 1 - middle]]
  return low === undefined || high === undefined ? undefined : low + (high - low) / 2
}
