import { fieldsOf, type JsonSchema } from '../http/json-schema.ts'

/**
 * An example of a schema without references: its own, or one composed from its parts. An optional field is included only if
 * it has an example.
 */
export function exampleOf(schema: JsonSchema): unknown {
  return givenExample(schema) ?? madeUp(schema)
}

/** Request bodies use `example`: zod drops `examples` of transformed schemas. */
function givenExample({ example, examples, default: byDefault, const: only }: JsonSchema): unknown {
  return example ?? (Array.isArray(examples) ? examples[0] : (byDefault ?? only))
}

function madeUp(schema: JsonSchema): unknown {
  const {
    type,
    enum: values,
    anyOf,
    allOf,
    items,
  } = schema as {
    type?: string | readonly string[]
    enum?: readonly unknown[]
    anyOf?: readonly JsonSchema[]
    allOf?: readonly JsonSchema[]
    items?: JsonSchema
  }
  if (values) return values[0]
  if (allOf) return Object.assign({}, ...allOf.map(exampleOf)) as unknown
  if (anyOf) return anyOf.some((one) => one['type'] === 'null') ? null : exampleOf(anyOf[0] ?? {})
  // The other one is null.
  switch (typeof type === 'object' ? type[0] : type) {
    case 'object': {
      const { properties, required } = fieldsOf(schema)
      const shown = Object.entries(properties).filter(
        ([name, property]) => required.includes(name) || givenExample(property) !== undefined,
      )
      return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property)]))
    }
    case 'array':
      return items ? [exampleOf(items)] : []
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1
    case 'boolean':
      return true
    default:
      return 'text'
  }
}
