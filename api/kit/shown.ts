import type * as z from 'zod'

/** What is known of a resource: what its schema has, with null where a field is absent. */
type Known<T> = { readonly [Field in keyof T]: ReadonlyDeep<T[Field]> | (undefined extends T[Field] ? null : never) }
type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T

/**
 * A resource as its schema shows it: the schema is the only list of its fields.
 *
 * @param known a row or state, which may know more than is shown
 */
export function shown<S extends z.ZodObject>(schema: S, known: Known<z.infer<S>>): z.infer<S> {
  const values = known as Readonly<Record<string, unknown>>
  const fields = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).flatMap(([name, field]) => {
    const value = values[name]
    return value === undefined || (value === null && !field.isNullable()) ? [] : [[name, value]]
  })
  return Object.fromEntries(fields) as z.infer<S>
}
