import type * as z from 'zod'
import { fieldsOf, inlined, jsonSchemaOf, type JsonSchema } from './json-schema.ts'

/** A documented path or query parameter. */
export interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
}

/** Parameters are sent as text; the schema shown is that of the parsed value, where that can be expressed. */
export function parametersOf(schema: z.ZodType | undefined): readonly Parameter[] {
  if (!schema) return []
  const sent = fieldsOf(inlined(jsonSchemaOf(schema, 'input')))
  const parsed = fieldsOf(inlined(jsonSchemaOf(schema, 'output')))
  return Object.entries(parsed.properties).map(([name, property]) => ({
    name,
    required: sent.required.includes(name),
    schema: isExpressed(property) ? property : { ...sent.properties[name], ...property },
  }))
}

/** The result of a transform has no schema. */
function isExpressed(property: JsonSchema): boolean {
  return ['type', 'enum', 'anyOf', '$ref'].some((keyword) => keyword in property)
}
