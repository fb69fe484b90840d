import { z } from 'zod'
import { ERROR_STATUS } from '../domain/errors.ts'
import type { AnyRoute } from './route.ts'

const errorSchema = z.object({
  error: z.object({
    code: z.enum(Object.keys(ERROR_STATUS)),
    message: z.string(),
    requestId: z.string(),
  }),
})

type Json = Readonly<Record<string, unknown>>

/** The OpenAPI 3.1 document of the route table. */
export function openApiDocument(routes: readonly AnyRoute[], publicUrl: string | undefined): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fanfare',
      version: '1.1.0',
      description: 'Publishes, schedules and answers social content over connected accounts.',
    },
    servers: [{ url: publicUrl ? `${publicUrl.replace(/\/$/, '')}/v1` : '/v1' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `fnf_...`.' } },
      headers: {
        'X-Request-Id': { schema: { type: 'string' }, description: 'Names the request in the log.' },
        'X-RateLimit-Limit': { schema: { type: 'integer' } },
        'X-RateLimit-Remaining': { schema: { type: 'integer' } },
        'X-RateLimit-Reset': { schema: { type: 'integer' }, description: 'Unix epoch seconds.' },
      },
      schemas: { Error: jsonSchema(errorSchema, 'output') },
    },
  }
}

function operation(route: AnyRoute): Json {
  const { status, description, schema } = route.answer
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    description: `Scope: \`${route.scope}\`.`,
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(route.body
      ? {
          requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(route.body, 'input') } } },
        }
      : {}),
    responses: {
      [status]: {
        description,
        headers: HEADERS,
        ...(schema ? { content: { 'application/json': { schema: withRequestId(jsonSchema(schema, 'output')) } } } : {}),
      },
      default: {
        description: 'An error. Branch on `error.code`.',
        headers: HEADERS,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

const HEADERS = Object.fromEntries(
  ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
)

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeat within 24 hours is given the first answer, and nothing is done again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function parameters(schema: z.ZodType | undefined, where: 'path' | 'query'): readonly Json[] {
  if (!schema) return []
  const { required = [] } = jsonSchema(schema, 'input') as { required?: string[] }
  // Parameters travel as text; the document shows what the text stands for.
  const { properties = {} } = jsonSchema(schema, 'output') as { properties?: Record<string, Json> }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: required.includes(name),
    schema: property,
  }))
}

function withRequestId(schema: Json): Json {
  return { allOf: [schema, { type: 'object', properties: { requestId: { type: 'string' } }, required: ['requestId'] }] }
}

/** OpenAPI 3.1 speaks JSON Schema 2020-12, which is what zod writes. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  // What is answered may grow fields within v1 (api-spec §9).
  return JSON.parse(
    JSON.stringify(rest, (key, value: unknown) =>
      key === 'additionalProperties' && value === false ? undefined : value,
    ),
  ) as Json
}
