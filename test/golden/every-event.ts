import type { EventFormat, EventSchemas, NewEvent } from '../../domain/core/event.ts'
import { derivedId } from '../../domain/core/ids.ts'

type JsonSchema = NonNullable<ReturnType<EventSchemas[string]['toJSONSchema']>['anyOf']>[number]

/** An append to an empty log. */
export interface Step {
  readonly stream: string
  readonly revision: number
  readonly event: NewEvent
}

const NAMED_BY_THEIR_WORKSPACE = ['workspace', 'credits']
const BEGIN = Date.UTC(2026, 0, 1)

/**
 * A history with every type of event, every optional field present and absent, every option of a choice, and empty and filled
 * lists. Each kind of stream has as many streams as its types have variants; each stream has all types, in the order in which
 * they are declared. Two more streams only begin: what ends them would leave nothing in the read models.
 */
export function everyEvent(formats: Readonly<Record<string, EventFormat>>): readonly Step[] {
  const kinds = Object.values(formats).map(({ category, events }) => {
    const types = Object.entries(events).map(([type, schema]) => ({ type, values: variantsOf(schema.toJSONSchema()) }))
    return { category, types, variants: Math.max(...types.map(({ values }) => values.length)) }
  })
  const workspaces = kinds.find(({ category }) => category === 'workspace')?.variants ?? 0
  const steps = kinds.flatMap(({ category, types, variants }) => {
    const streams = Math.max(variants, workspaces)
    return Array.from({ length: streams + 2 }, (_, n) =>
      types
        .slice(0, n < streams ? undefined : n === streams ? 1 : Math.ceil(types.length / 2))
        .map(({ type, values }, revision) => ({ category, n, revision, type, data: values[n % values.length] })),
    ).flat()
  })
  return steps.map(({ category, n, revision, type, data }, index) => {
    const workspaceId = `ws_golden_${n}`
    const stream = `${category}-${NAMED_BY_THEIR_WORKSPACE.includes(category) ? workspaceId : `${category}_golden_${n}`}`
    const id = derivedId('golden', stream, revision)
    const at = new Date(BEGIN + index * 1_000).toISOString()
    const metadata = { at, actor: { kind: 'cli', id: 'golden' }, correlationId: stream, causationId: id } as const
    return { stream, revision, event: { id, type, data: named(Object(data), n), metadata } }
  })
}

/** The data with names that streams know each other by. */
function named(data: object, n: number): object {
  const names: Readonly<Record<string, unknown>> = {
    workspaceId: `ws_golden_${n}`,
    accountId: `account_golden_${n}`,
    feedId: `feed_golden_${n}`,
    webhookId: `webhook_golden_${n}`,
    videoId: `video_golden_${n}`,
    replyId: `reply_golden_${n}`,
    name: `name-${n}`,
  }
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => [field, typeof value === 'string' ? (names[field] ?? value) : value]),
  )
}

/** Values that together use everything that a schema allows. */
function variantsOf(schema: JsonSchema | boolean): readonly unknown[] {
  if (typeof schema === 'boolean') return ['anything', { nested: [1, null, true] }]
  const { anyOf, oneOf = anyOf, enum: options } = schema
  if (schema.const !== undefined) return [schema.const]
  if (options) return options
  if (oneOf) return oneOf.flatMap(variantsOf)
  if (Array.isArray(schema.type)) return schema.type.flatMap((type) => variantsOf({ ...schema, type }))
  switch (schema.type) {
    case 'object':
      return schema.propertyNames === undefined ? objectsOf(schema) : recordsOf(schema)
    case 'array': {
      const { items: item = true } = schema
      const items = Array.isArray(item) ? [] : variantsOf(item as JsonSchema)
      return schema.minItems ? [items] : [items, []]
    }
    case 'string':
      return [textOf(schema)]
    case 'integer':
      return [Math.max(schema.minimum ?? 1, 1)]
    case 'number':
      return [(schema.minimum ?? 0) + 0.5]
    case 'boolean':
      return [true, false]
    case 'null':
      return [null]
    default:
      return ['anything', { nested: [1, null, true] }]
  }
}

function objectsOf({ properties = {}, required = [] }: JsonSchema): readonly unknown[] {
  const fields = Object.entries(properties).map(([name, inner]) => ({ name, values: variantsOf(inner) }))
  const count = Math.max(1, ...fields.map(({ values }) => values.length))
  const filled = Array.from({ length: count }, (_, n) =>
    Object.fromEntries(fields.map(({ name, values }) => [name, values[n % values.length]])),
  )
  const optional = fields.filter(({ name }) => !required.includes(name))
  if (optional.length === 0) return filled
  const bare = fields.filter(({ name }) => required.includes(name)).map(({ name, values }) => [name, values[0]])
  return [...filled, Object.fromEntries(bare)]
}

function recordsOf({ propertyNames = true, additionalProperties = true }: JsonSchema): readonly unknown[] {
  const [name] = variantsOf(propertyNames)
  return [...variantsOf(additionalProperties).map((value) => ({ [String(name)]: value })), {}]
}

function textOf({ format, minLength = 0 }: JsonSchema): string {
  switch (format) {
    case 'date-time':
      return '2026-01-02T03:04:05.678Z'
    case 'date':
      return '2026-01-02'
    case 'time':
      return '03:04'
    default:
      return 'Grüße, 😀 "text"\n'.padEnd(minLength, '.')
  }
}
