import type * as z from 'zod'
import { fieldsOf, inlined, jsonSchemaOf, type JsonSchema } from './json-schema.ts'

/** A documented path or query parameter. */
export interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
}

/** Parameters are sent as text; the schema shown is that of the parsed value. */
export function parametersOf(schema: z.ZodType | undefined): readonly Parameter[] {
  if (!schema) return []
  const { required } = fieldsOf(inlined(jsonSchemaOf(schema, 'input')))
  const { properties } = fieldsOf(inlined(jsonSchemaOf(schema, 'output')))
  return Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    schema: property,
  }))
}
