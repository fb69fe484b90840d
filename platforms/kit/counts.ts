import { z } from 'zod'

/** A count in an answer. One in an odd shape is taken for one that is not told. */
export const count = z.int().nonnegative().optional().catch(undefined)

/** What is told of the counts: the others are absent, never zero. */
export function told<Name extends string>(
  counts: Readonly<Record<Name, number | undefined>>,
): Readonly<Partial<Record<Name, number>>> {
  const entries = Object.entries<number | undefined>(counts).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<Record<Name, number>>
}
