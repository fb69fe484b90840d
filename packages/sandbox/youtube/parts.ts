import * as z from 'zod'

/** The query parameter `part`, which lists the requested parts of a resource. */
export const parts = <Part extends string>(known: readonly Part[]) =>
  z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(z.enum(known)))

export function only(resource: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(resource).filter(([key]) => keys.includes(key)))
}
