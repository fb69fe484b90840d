import * as z from 'zod'

/** As much of a JSON Schema as request bodies of the API use. */
export interface JsonSchema {
  readonly type?: string | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly const?: unknown
  readonly minimum?: number | undefined
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined
  readonly required?: readonly string[] | undefined
  readonly anyOf?: readonly JsonSchema[] | undefined
}

export const jsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    minimum: z.number().optional(),
    properties: z.record(z.string(), jsonSchema).optional(),
    required: z.array(z.string()).optional(),
    anyOf: z.array(jsonSchema).optional(),
  }),
)

/** The plainest value that keeps the schema. `known` gives the values that no schema can tell, by the field's name. */
export function sampleOf(schema: JsonSchema, known: (field: string) => unknown, field = ''): unknown {
  const given = known(field)
  if (given !== undefined) return given
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], known, field)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {}, known, name)]),
      )
    case 'array':
      return []
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    default:
      return /url$/i.test(field) ? 'https://example.com/a.jpg' : 'text'
  }
}

/** The names of all fields of a body, those of objects inside of it by their path. */
export function fieldsOf(schema: JsonSchema, path: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    [...path, name],
    ...fieldsOf(inner, [...path, name]),
  ])
}

/** A copy of the value with another one at a place. */
export function withAt(value: unknown, [first, ...rest]: readonly string[], put: unknown): unknown {
  if (first === undefined) return put
  const fields = z.record(z.string(), z.unknown()).catch({}).parse(value)
  return { ...fields, [first]: withAt(fields[first], rest, put) }
}
