import { exampleOf } from './openapi-example.ts'
import { ANSWERS, COMMON_HEADERS, ERRORS, REPLAYED_HEADER } from './openapi-components.ts'
import { fieldsOf, inlined, jsonSchemaOf, type JsonSchema, type NamedSchemas } from '../http/json-schema.ts'
import { parametersOf } from '../http/parameters.ts'
import type { AnyRoute } from '../http/route.ts'

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeat within 24 hours returns the first response; nothing is done twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const CSV = { 'text/csv': { schema: { type: 'string' } } }

/** An operation of the document, and the named schemas that it references. */
export function operationOf(route: AnyRoute): {
  readonly operation: JsonSchema
  readonly named: Readonly<Record<string, JsonSchema>>
} {
  const body = route.body && jsonSchemaOf(route.body, 'input')
  const answer = route.answer.schema && jsonSchemaOf(route.answer.schema, 'output')
  return {
    operation: {
      operationId: route.operationId,
      summary: route.summary,
      tags: [route.tag],
      description: [...(route.description ? [route.description] : []), scopeOf(route)].join('\n\n'),
      parameters: [
        ...parametersOf(route.params).map((parameter) => ({ ...parameter, in: 'path' })),
        ...parametersOf(route.query).map((parameter) => ({ ...parameter, in: 'query' })),
        ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
      ],
      ...(body && { requestBody: { required: !route.body?.safeParse(undefined).success, content: json(body) } }),
      responses: {
        [route.answer.status]: {
          description: route.answer.description,
          headers: { ...COMMON_HEADERS, ...(route.idempotent ? REPLAYED_HEADER : {}) },
          ...(answer && { content: { ...json(withCommonFields(answer, route)), ...(route.handleCsv && CSV) } }),
        },
        ...errorsOf(route),
        default: { $ref: '#/components/responses/OtherError' },
      },
    },
    named: pointing({ ...body?.named, ...answer?.named }),
  }
}

function scopeOf({ scope, proposable }: AnyRoute): string {
  return `Scope: \`${scope}\`${proposable ? ', or `posts:propose`, with which posts wait for approval' : ''}.`
}

export function json(schemas: NamedSchemas) {
  const { example: _shownOnce, ...schema } = schemas.schema
  return { 'application/json': { schema: pointing(schema), example: exampleOf(inlined(schemas)) } }
}

/** Rewrites references to where the document keeps the schemas. */
export function pointing<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as T
}

/** A named schema is combined with one of the common fields; any other gets them added to its own. */
function withCommonFields({ schema, named }: NamedSchemas, { body }: Pick<AnyRoute, 'body'>): NamedSchemas {
  const name = body ? 'AnswerToBody' : 'Answer'
  const common = ANSWERS[name]
  if (schema['$ref'] !== undefined) {
    return { schema: { allOf: [schema, { $ref: `#/$defs/${name}` }] }, named: { ...named, [name]: common } }
  }
  const { properties, required } = fieldsOf(schema)
  const own = { properties: { ...properties, ...common.properties }, required: [...required, ...common.required] }
  return { schema: { ...schema, ...own }, named }
}

/** The errors that the route can return, besides those of any path. */
function errorsOf({ path, params, query, body, idempotent, mayConflict }: AnyRoute) {
  const names = (schema: AnyRoute['body']) =>
    Object.keys(fieldsOf(schema ? inlined(jsonSchemaOf(schema, 'input')) : {}).properties)
  const namesResource = path.includes('{') || [...names(query), ...names(body)].some((name) => name.endsWith('Id'))
  const given: readonly (keyof typeof ERRORS)[] = [
    ...(params || query || body || idempotent ? (['InvalidRequest'] as const) : []),
    'Unauthorized',
    'Forbidden',
    ...(namesResource ? (['NotFound'] as const) : []),
    ...(mayConflict ? (['FailedPrecondition'] as const) : []),
    ...(body ? (['TooLarge'] as const) : []),
    'TooManyRequests',
    'InternalError',
  ]
  return Object.fromEntries(given.map((name) => [ERRORS[name].status, { $ref: `#/components/responses/${name}` }]))
}
