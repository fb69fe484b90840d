/** Facebook discards what is not published within a day, so waiting ends then too. */
export const LIFE_MS = 86_400_000

const PACES = [
  { untilMs: 60_000, everyMs: 5_000 },
  { untilMs: 900_000, everyMs: 20_000 },
  { untilMs: 3_600_000, everyMs: 60_000 },
] as const

/** Delay (ms) before the next look at a video of this age (ms). */
export function paceAt(ageMs: number): number {
  return PACES.find(({ untilMs }) => ageMs < untilMs)?.everyMs ?? 300_000
}
