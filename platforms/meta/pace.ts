/** A container lives so long (ms) and no longer. */
export const CONTAINER_LIFE_MS = 86_400_000

/** After a container was made. */
export const FIRST_LOOK_MS = 3_000

const PACES = [
  { untilMs: 300_000, everyMs: 15_000 },
  { untilMs: 3_600_000, everyMs: 60_000 },
] as const

/**
 * How long (ms) to wait before another look at a container.
 *
 * @param ageMs of the container
 * @param briskMs up to which age it is looked at as soon as at first
 */
export function paceAt(ageMs: number, briskMs: number): number {
  if (ageMs < briskMs) return FIRST_LOOK_MS
  return PACES.find(({ untilMs }) => ageMs < untilMs)?.everyMs ?? 300_000
}
