import { likeliestName } from '../../infra/runtime/misspelled.ts'
import { fieldsOf, type JsonSchema } from './json-schema.ts'
import { pathOf } from './validation.ts'

/** A body may have thousands of them. */
const MOST = 20

/** A sentence for each field of a body that its schema does not name and that is ignored, with the field that was likely meant. */
export function unknownFields(schema: JsonSchema, body: unknown): readonly string[] {
  const found = unknownIn(schema, body, [])
  const more = found.length > MOST ? [`${found.length - MOST} more fields are unknown and ignored`] : []
  return [...found.slice(0, MOST).map(sentence), ...more]
}

interface Unknown {
  readonly path: readonly PropertyKey[]
  readonly known: readonly string[]
}

function sentence({ path, known }: Unknown): string {
  const meant = likeliestName(String(path.at(-1)), known)
  const ignored = `${pathOf(path)} is not a field and was ignored`
  return meant === undefined ? ignored : `${ignored}; did you mean ${meant}?`
}

function unknownIn(schema: JsonSchema, value: unknown, path: readonly PropertyKey[]): readonly Unknown[] {
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined
  if (choices) {
    // What the value was parsed as is the choice that knows most of it.
    const perChoice = choices.map((choice) => unknownIn(choice, value, path))
    return perChoice.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  if (Array.isArray(value)) {
    const { items = {} } = schema as { items?: JsonSchema }
    return value.flatMap((item, index) => unknownIn(items, item, [...path, index]))
  }
  if (typeof value !== 'object' || value === null) return []
  const { properties } = fieldsOf(schema)
  const known = Object.keys(properties)
  const { additionalProperties: others } = schema as { additionalProperties?: JsonSchema }
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : others
    if (own) return unknownIn(own, inner, [...path, name])
    return known.length > 0 ? [{ path: [...path, name], known }] : []
  })
}
