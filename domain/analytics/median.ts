/** The middle value, or the midpoint of the two middle values; undefined for an empty list. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor((sorted.length - 1) / 2)
  const [low, high] = [sorted[middle], sorted[sorted.length - 1 - middle]]
  return low === undefined || high === undefined ? undefined : low + (high - low) / 2
}
