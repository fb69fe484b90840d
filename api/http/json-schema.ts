import * as z from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>

/** A JSON Schema, and the named schemas that it references as `#/$defs/<name>`. */
export interface NamedSchemas {
  readonly schema: JsonSchema
  readonly named: Readonly<Record<string, JsonSchema>>
}

/** The bounds that zod gives every integer. */
const SAFE = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

/** Formats that zod repeats as a pattern. */
const TIMES: readonly unknown[] = ['date', 'date-time']

/** The schema in JSON Schema 2020-12, which OpenAPI 3.1 and MCP both use. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): NamedSchemas {
  const written = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  // Answers may gain fields within v1 (api-spec §9).
  const text = JSON.stringify(written, function (this: JsonSchema, key, value: unknown) {
    const isNoise =
      ((key === 'minimum' || key === 'maximum') && SAFE.includes(Number(value))) ||
      (key === 'pattern' && TIMES.includes(this['format']))
    return isNoise || (key === 'additionalProperties' && value === false) ? undefined : value
  })
  const { $schema: _dialect, $defs = {}, ...rest } = JSON.parse(text) as Record<string, unknown>
  return { schema: rest, named: $defs as Record<string, JsonSchema> }
}

/** The schema with its references inlined, for readers that do not resolve them. */
export function inlined({ schema, named }: NamedSchemas): JsonSchema {
  const put = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(put)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...own } = value as Record<string, unknown>
    const pointed = named[String($ref).replace('#/$defs/', '')] ?? {}
    return Object.fromEntries(Object.entries({ ...pointed, ...own }).map(([key, inner]) => [key, put(inner)]))
  }
  return put(schema) as JsonSchema
}

/** The fields of an object's schema. */
export function fieldsOf(schema: JsonSchema): {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
} {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema>
    required?: readonly string[]
  }
  return { properties, required }
}
