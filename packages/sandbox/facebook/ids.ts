import { digits } from '../meta/digits.ts'
import type { StandInDeps } from '../stand-in.ts'

/** Eighteen digits, too many for a number of JavaScript's. They begin with the second of their making. */
export function newId({ clock, ids }: StandInDeps): string {
  return `${Math.floor(clock.now() / 1_000)}${digits(8, ids)}`
}

/** Milliseconds since the epoch. */
export function madeAt(id: string): number {
  return Number(id.slice(0, 10)) * 1_000
}
