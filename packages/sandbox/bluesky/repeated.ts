import * as z from 'zod'

/** A parameter that may be repeated. */
export function listOf<T>(item: z.ZodType<T>) {
  return z.union([item.transform((one) => [one]), z.array(item)])
}
