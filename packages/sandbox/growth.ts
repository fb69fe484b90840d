import { createHash } from 'node:crypto'

const DAY_MS = 86_400_000

/**
 * How far a count has come: always the same of the same post and age, never less than before, fast in the first hours and
 * hardly any more after two weeks.
 *
 * @param name what is counted of what: `views:<post id>`
 * @param most what counts of this kind come to; one post comes to a tenth of it, another to all
 */
export function grown(name: string, ageMs: number, most: number): number {
  const hash = createHash('sha256').update(name).digest()
  const ceiling = most * (0.1 + 0.9 * (hash.readUInt32BE(0) / 0xffffffff))
  const days = (0.3 + 2.7 * (hash.readUInt32BE(4) / 0xffffffff)) * DAY_MS
  return Math.floor(ceiling * (1 - Math.exp(-Math.max(0, ageMs) / days)))
}
