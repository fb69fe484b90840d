import type { z } from 'zod'
import { fieldsOf, inlined, jsonSchemaOf, type JsonSchema } from './json-schema.ts'

/** A parameter of a path or a query as it is documented. */
export interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
}

/** Parameters travel as text; what is shown is what the text stands for. */
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
