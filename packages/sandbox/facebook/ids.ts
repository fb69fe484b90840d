import { digits } from '../meta/digits.ts'
import type { StandInDeps } from '../stand-in.ts'

let made = 0

/**
 * Eighteen digits, beyond JavaScript's safe integers. They begin with the creation time in seconds. A counter keeps apart what is
 * created in the same second: eight random digits would be the same for two of 400 ids about once in a thousand times.
 */
export function newId({ clock, ids }: StandInDeps): string {
  made = (made + 1) % 100_000
  return `${Math.floor(clock.now() / 1_000)}${String(made).padStart(5, '0')}${digits(3, ids)}`
}

/** Creation time in milliseconds since the epoch. */
export function madeAt(id: string): number {
  return Number(id.slice(0, 10)) * 1_000
}
