import { createHash } from 'node:crypto'

const DAY_MS = 86_400_000

/**
 * The current value of a count: deterministic by name and age, never decreasing, growing fast in the first hours and hardly at
 * all after two weeks.
 *
 * @param name what is counted of what: `views:<post id>`
 * @param most the highest value for this kind of count; each post's limit lies between a tenth of it and all of it
 * @param reach what share of it the limit is instead, give or take a seventh
 */
export function grown(name: string, ageMs: number, most: number, reach?: number): number {
  const hash = createHash('sha256').update(name).digest()
  const chance = hash.readUInt32BE(0) / 0xffffffff
  const ceiling = most * (reach === undefined ? 0.1 + 0.9 * chance : reach * (0.86 + 0.28 * chance))
  const days = (0.3 + 2.7 * (hash.readUInt32BE(4) / 0xffffffff)) * DAY_MS
  return Math.floor(ceiling * (1 - Math.exp(-Math.max(0, ageMs) / days)))
}
