import fc from 'fast-check'
import type { EventSchemas } from '../../domain/core/event.ts'
import { asText } from '../../domain/core/text.ts'

type Schema = EventSchemas[string]
type JsonSchema = NonNullable<ReturnType<Schema['toJSONSchema']>['anyOf']>[number]

/** What a text from outside may hold that a reader stumbles over. None of it spells a word. */
const PIECES = [
  ...['a', 'é', '😀', ' ', '.', '!', ':', ',', '"', '(', ')', '\\', '%', '<', 'https://example.com/a'],
  ...['\n', '\r\n', '\t', '\u001b', '\u0085', '\u2028', '\u2029', '\u202e', '\u2067'],
]
/** Length of a text that its schema does not limit. */
const UNLIMITED = 100
/** The most items of a list, and fields of a record. */
const MANY = 12

/** Data that an event's schema takes: texts are empty, awkward, or as long as they may be. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  return valuesOfJson(schema.toJSONSchema())
}

function valuesOfJson(schema: JsonSchema | boolean): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean') return texts(UNLIMITED)
  const { enum: options, anyOf, oneOf = anyOf } = schema
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (options) return fc.constantFrom(...options)
  if (oneOf) return fc.oneof(...oneOf.map(valuesOfJson))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valuesOfJson({ ...schema, type })))
  switch (schema.type) {
    case 'object':
      return schema.propertyNames === undefined ? objects(schema) : records(schema)
    case 'array':
      return fc.array(valuesOfJson(itemOf(schema)), { minLength: schema.minItems ?? 0, maxLength: MANY, size: 'max' })
    case 'string':
      return strings(schema)
    case 'integer':
      return fc.integer({ min: smallest(schema), max: schema.maximum ?? Number.MAX_SAFE_INTEGER })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case undefined:
      return texts(UNLIMITED)
    default:
      throw new Error(`There are no values for ${JSON.stringify(schema)}`)
  }
}

function objects({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, valuesOfJson(inner)]))
  return fc.record(fields, { requiredKeys: required })
}

function records({ propertyNames = true, additionalProperties = true }: JsonSchema): fc.Arbitrary<unknown> {
  const names = valuesOfJson(propertyNames).map(String)
  return fc.dictionary(names, valuesOfJson(additionalProperties), { maxKeys: MANY, size: 'max', noNullPrototype: true })
}

function itemOf({ items = true }: JsonSchema): JsonSchema | boolean {
  return Array.isArray(items) ? (items[0] ?? true) : items
}

function smallest({ minimum, exclusiveMinimum }: JsonSchema): number {
  return typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : (minimum ?? Number.MIN_SAFE_INTEGER)
}

function strings({ format, maxLength = UNLIMITED }: JsonSchema): fc.Arbitrary<string> {
  const moments = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  if (format === 'date-time') return moments.map((moment) => moment.toISOString())
  if (format === 'date') return moments.map((moment) => moment.toISOString().slice(0, 10))
  return texts(maxLength)
}

function texts(maxLength: number): fc.Arbitrary<string> {
  const short = fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 20 })
  const long = short
    .map((piece) => (piece === '' ? 'a' : piece))
    .map((piece) => piece.repeat(maxLength / piece.length + 1))
  return fc.oneof(short, long).map((value) => asText(value, maxLength))
}
