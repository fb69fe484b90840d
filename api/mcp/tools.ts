import type { Tool } from '@modelcontextprotocol/server'
import { Refusal } from '../../domain/core/errors.ts'
import { fieldsOf, inlined, jsonSchemaOf, type JsonSchema } from '../http/json-schema.ts'
import { REQUEST_ID } from '../openapi/openapi-components.ts'
import { parametersOf } from '../http/parameters.ts'
import type { AnyRoute } from '../http/route.ts'
import type { RouteCall } from '../http/run-route.ts'
import { pathOf } from '../http/validation.ts'

/** A route as a tool: its definition, and how a tool call becomes a call of the route. */
export interface ApiTool {
  readonly route: AnyRoute
  readonly definition: Tool
  /** @throws Refusal invalid_request for an unknown argument */
  callOf(given: Arguments): Pick<RouteCall, 'params' | 'query' | 'body' | 'idempotencyKey'>
}

export type Arguments = Readonly<Record<string, unknown>>

const IDEMPOTENCY_KEY = {
  idempotencyKey: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description:
      'Any unique text, such as a UUID; use a new one for each action. If you do not know whether a call succeeded, ' +
      'repeat it with the same key: nothing is done twice within 24 hours.',
  },
}

/** One tool per endpoint, with the names, descriptions and schemas of the OpenAPI document. */
export function toolOf(route: AnyRoute): ApiTool {
  const params = parametersOf(route.params)
  const query = parametersOf(route.query)
  const { agentDefaults = {} } = route
  const body = fieldsOf(route.body ? inlined(jsonSchemaOf(route.body, 'input')) : {})
  const places = [propertiesOf(params), propertiesOf(query), body.properties, route.idempotent ? IDEMPOTENCY_KEY : {}]
  const properties: Record<string, JsonSchema> = Object.assign({}, ...places) as Record<string, JsonSchema>
  for (const [name, value] of Object.entries(agentDefaults)) properties[name] = { ...properties[name], default: value }
  const names = Object.keys(properties)
  if (names.length < places.flatMap(Object.keys).length) {
    throw new Error(`${route.operationId} uses one name in two places, which would collide as tool arguments`)
  }
  const required = [...[...params, ...query].filter((it) => it.required).map(({ name }) => name), ...body.required]

  return {
    route,
    definition: {
      name: route.operationId,
      title: route.summary,
      description: route.description ? `${route.summary}. ${route.description}` : `${route.summary}.`,
      inputSchema: bare({ type: 'object', properties, required, additionalProperties: false }) as Tool['inputSchema'],
      outputSchema: outputSchema(route),
      annotations: annotationsOf(route),
    },
    callOf: (given) => {
      const unknown = Object.keys(given).find((name) => !names.includes(name))
      if (unknown !== undefined) {
        const known = names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`
        throw new Refusal(
          'invalid_request',
          `${pathOf([unknown])} is not an argument of ${route.operationId}: ${known}`,
        )
      }
      const { idempotencyKey, ...rest } = given
      return {
        params: pick(rest, Object.keys(propertiesOf(params))),
        query: Object.fromEntries(
          Object.entries(pick(rest, Object.keys(propertiesOf(query)))).map(([name, value]) => [name, asSent(value)]),
        ),
        body: { ...agentDefaults, ...pick(rest, Object.keys(body.properties)) },
        idempotencyKey,
      }
    },
  }
}

function propertiesOf(parameters: ReturnType<typeof parametersOf>): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
}

function pick(given: Arguments, names: readonly string[]): Arguments {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
}

/** Query values are text. Any other type is left for the route's own validation to refuse. */
function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** The endpoint's answer with its `requestId`; just the `requestId` if it has no body. */
function outputSchema({ answer }: AnyRoute): Tool['outputSchema'] {
  const { properties, required } = fieldsOf(answer.schema ? inlined(jsonSchemaOf(answer.schema, 'output')) : {})
  const all = { ...properties, requestId: REQUEST_ID }
  return bare({ type: 'object', properties: all, required: [...required, 'requestId'] }) as Tool['outputSchema']
}

/** Without examples: models read the whole schema, and only people need them. */
function bare(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) => (/^examples?$/.test(key) ? undefined : value))
  return JSON.parse(text) as JsonSchema
}

function annotationsOf({ method, effect = EFFECTS[method], reachesOut = false }: AnyRoute): Tool['annotations'] {
  return {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'overwrites',
    // A tool that adds does so on every call, unless the call has an idempotencyKey.
    idempotentHint: effect !== 'adds',
    openWorldHint: reachesOut,
  }
}

const EFFECTS = { GET: 'reads', POST: 'adds', PUT: 'overwrites', PATCH: 'overwrites', DELETE: 'overwrites' } as const
