/** Facebook lets go of what was not published within a day, and so does the wait for it. */
export const LIFE_MS = 86_400_000

const PACES = [
  { untilMs: 60_000, everyMs: 5_000 },
  { untilMs: 900_000, everyMs: 20_000 },
  { untilMs: 3_600_000, everyMs: 60_000 },
] as const

/** How long (ms) to wait before another look at a video of that age (ms). */
export function paceAt(ageMs: number): number {
  return PACES.find(({ untilMs }) => ageMs < untilMs)?.everyMs ?? 300_000
}
