import { digits } from '../meta/digits.ts'
import type { StandInDeps } from '../stand-in.ts'

/** Eighteen digits, beyond JavaScript's safe integers. They begin with the creation time in seconds. */
export function newId({ clock, ids }: StandInDeps): string {
  return `${Math.floor(clock.now() / 1_000)}${digits(8, ids)}`
}

/** Creation time in milliseconds since the epoch. */
export function madeAt(id: string): number {
  return Number(id.slice(0, 10)) * 1_000
}
