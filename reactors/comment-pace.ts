/** The bounds (ms) between which an account is looked at. */
export interface Pace {
  readonly leastMs: number
  readonly mostMs: number
}

/** Busy accounts are looked at twice as often, until they are quiet again. A platform's own least goes before our most. */
export function nextInterval(before: number, isBusy: boolean, { leastMs, mostMs }: Pace): number {
  return Math.max(leastMs, Math.min(mostMs, isBusy ? before / 2 : before * 1.5))
}
