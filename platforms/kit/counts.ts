import * as z from 'zod'

/** A count in a response. A malformed one counts as absent. */
export const count = z.int().nonnegative().optional().catch(undefined)

/** The known counts: the others are absent, never zero. */
export function known<Name extends string>(
  counts: Readonly<Record<Name, number | undefined>>,
): Readonly<Partial<Record<Name, number>>> {
  const entries = Object.entries<number | undefined>(counts).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<Record<Name, number>>
}
