import { z } from 'zod'
import { ERROR_STATUS, type ErrorCode } from '../../domain/core/errors.ts'
import { jsonSchemaOf, type JsonSchema } from '../http/json-schema.ts'
import { EXAMPLE } from './examples.ts'

const requestId = z
  .string()
  .describe('Names the request in the log; also in the header `X-Request-Id`.')
  .meta({ examples: [EXAMPLE.request] })

const errorSchema = z.object({
  error: z.object({
    code: z.enum(Object.keys(ERROR_STATUS)).describe('Branch on this.'),
    message: z.string().describe('Names the field and the fix.'),
    requestId,
  }),
})

export const REQUEST_ID = jsonSchemaOf(requestId, 'output').schema

/** The errors of each status, by the name of their response. */
export const ERRORS = {
  InvalidRequest: { status: 400, description: 'A field is missing or malformed; the message names it.' },
  Unauthorized: { status: 401, description: 'There is no key, or it is wrong or revoked.' },
  Forbidden: { status: 403, description: 'The key lacks the scope, or the resource belongs to someone else.' },
  NotFound: { status: 404, description: 'There is no such resource.' },
  FailedPrecondition: { status: 409, description: 'The request is valid, but not in the state that things are in.' },
  TooLarge: { status: 413, description: 'The body is over 10 MB.' },
  TooManyRequests: {
    status: 429,
    description: 'The rate limit is hit: wait for the seconds of `Retry-After`. Or there are too few credits.',
  },
  InternalError: {
    status: 500,
    description: 'The service failed. Repeat the request, under the same Idempotency-Key where there is one.',
  },
} as const

const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'selections is required: name at least one platform',
  not_supported: 'platform: there are analytics of youtube, x, pinterest, bluesky only, not of tiktok',
  missing_api_key: 'Send your API key in the header Authorization: Bearer <API_KEY>.',
  invalid_api_key: 'No such API key.',
  revoked_api_key: 'This API key was revoked.',
  insufficient_scope: 'This API key lacks the scope posts:write.',
  forbidden: 'This post belongs to someone else.',
  not_found: 'No such post.',
  method_not_allowed: 'PUT is not allowed here, only GET, HEAD, POST.',
  failed_precondition: 'The reply is already sent.',
  rate_limit_exceeded: 'Too many requests; wait 17 s.',
  resource_exhausted: 'The video costs 3 credits, and the workspace has 1. Nothing was charged.',
  internal_error: 'The service failed to answer. Repeat the request; the requestId names this failure in the log.',
}

const HEADERS = {
  'X-Request-Id': { schema: { type: 'string' }, description: 'Names the request in the log.' },
  'X-RateLimit-Limit': {
    schema: { type: 'integer' },
    description: 'How many requests the window takes, of minute and day the one that is nearer to its end.',
  },
  'X-RateLimit-Remaining': { schema: { type: 'integer' }, description: 'How many of them are left.' },
  'X-RateLimit-Reset': { schema: { type: 'integer' }, description: 'When it begins anew, in Unix epoch seconds.' },
}
const RETRY_AFTER = { schema: { type: 'integer' }, description: 'Seconds to wait. Not where credits are what lacks.' }
const REPLAYED = { schema: { const: 'true' }, description: 'When it is the answer to an earlier request.' }

const pointers = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Headers of every answer. */
export const COMMON_HEADERS = pointers(Object.keys(HEADERS))
/** Header of an answer that may be replayed. */
export const REPLAYED_HEADER = pointers(['Idempotent-Replayed'])

const ERROR_ANSWER = {
  headers: COMMON_HEADERS,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

/**
 * The document's `components`.
 *
 * @throws Error when two different schemas have the same name
 */
export function componentsOf(
  found: readonly Readonly<Record<string, JsonSchema>>[],
): Readonly<Record<string, unknown>> {
  const schemas = new Map<string, JsonSchema>()
  for (const [name, schema] of found.flatMap((named) => Object.entries(named))) {
    const other = schemas.get(name) ?? schema
    if (JSON.stringify(other) !== JSON.stringify(schema)) throw new Error(`two schemas have the name ${name}`)
    schemas.set(name, schema)
  }
  return {
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `fnf_...`.' } },
    headers: { ...HEADERS, 'Retry-After': RETRY_AFTER, 'Idempotent-Replayed': REPLAYED },
    responses: {
      ...Object.fromEntries(Object.entries(ERRORS).map(([name, error]) => [name, errorResponse(error)])),
      OtherError: { description: 'Any other error, such as of a request that is no HTTP.', ...ERROR_ANSWER },
    },
    schemas: {
      ...Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      Answer: {
        type: 'object',
        description: 'What every answer carries.',
        properties: { requestId: REQUEST_ID },
        required: ['requestId'],
      },
      Error: jsonSchemaOf(errorSchema, 'output').schema,
    },
  }
}

function errorResponse({ status, description }: (typeof ERRORS)[keyof typeof ERRORS]) {
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => ERROR_STATUS[code] === status)
  const requestId = EXAMPLE.request
  const examples = (codes.length === 0 ? (['invalid_request'] as const) : codes).map((code) => {
    const message = status === 413 ? 'the body is over the limit of 10 MB' : MESSAGES[code]
    return [code, { value: { error: { code, message, requestId } } }]
  })
  const { headers, content } = ERROR_ANSWER
  return {
    description,
    headers: { ...headers, ...(status === 429 ? pointers(['Retry-After']) : {}) },
    content: {
      'application/json': { ...content['application/json'], examples: Object.fromEntries(examples) as object },
    },
  }
}
