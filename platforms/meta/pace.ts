/** Lifetime (ms) of a container. */
export const CONTAINER_LIFE_MS = 86_400_000

/** Delay between creating a container and the first look at it. */
export const FIRST_LOOK_MS = 3_000

const PACES = [
  { untilMs: 300_000, everyMs: 15_000 },
  { untilMs: 3_600_000, everyMs: 60_000 },
] as const

/**
 * Delay (ms) before the next look at a container.
 *
 * @param ageMs of the container
 * @param briskMs up to this age the first delay is kept
 */
export function paceAt(ageMs: number, briskMs: number): number {
  if (ageMs < briskMs) return FIRST_LOOK_MS
  return PACES.find(({ untilMs }) => ageMs < untilMs)?.everyMs ?? 300_000
}
