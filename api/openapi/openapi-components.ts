import * as z from 'zod'
import { ERROR_STATUS, type ErrorCode } from '../../domain/core/errors.ts'
import { jsonSchemaOf, type JsonSchema } from '../http/json-schema.ts'
import { EXAMPLE } from './examples.ts'

const requestId = z
  .string()
  .describe('Identifies the request in the log; also sent in the header `X-Request-Id`.')
  .meta({ examples: [EXAMPLE.request] })

const errorSchema = z.object({
  error: z.object({
    code: z.enum(Object.keys(ERROR_STATUS)).describe('Branch on this.'),
    message: z.string().describe('Names the field and the fix.'),
    requestId,
    details: z
      .array(z.object({ path: z.string().describe('Of the field; empty for the whole.'), message: z.string() }))
      .optional()
      .describe('For an invalid request, every problem; `message` is that of the first.'),
  }),
})

const warnings = z
  .array(z.string())
  .optional()
  .describe(
    'Fields of the body that are unknown and were ignored, each with the field that was likely meant; and daily budgets of the ' +
      'key of which 80 % are used.',
  )

export const REQUEST_ID = jsonSchemaOf(requestId, 'output').schema
const WARNINGS = jsonSchemaOf(warnings, 'output').schema

/** The fields of every response, by the name of their schema. */
export const ANSWERS = {
  Answer: {
    type: 'object',
    description: 'Part of every response.',
    properties: { requestId: REQUEST_ID },
    required: ['requestId'],
  },
  AnswerToBody: {
    type: 'object',
    description: 'Part of every response to a request with a body.',
    properties: { requestId: REQUEST_ID, warnings: WARNINGS },
    required: ['requestId'],
  },
}

/** The errors of each status, by the name of their response. */
export const ERRORS = {
  InvalidRequest: { status: 400, description: 'A field is missing or malformed; the message names it.' },
  Unauthorized: { status: 401, description: 'The API key is missing, wrong or revoked.' },
  Forbidden: { status: 403, description: 'The key lacks the scope, or the resource belongs to someone else.' },
  NotFound: { status: 404, description: 'The resource does not exist.' },
  FailedPrecondition: {
    status: 409,
    description: 'The request is valid but conflicts with the current state of the resource.',
  },
  TooLarge: { status: 413, description: 'The body exceeds 10 MB.' },
  TooManyRequests: {
    status: 429,
    description: 'The rate limit was reached: wait for the seconds in `Retry-After`. Or there are too few credits.',
  },
  InternalError: {
    status: 500,
    description:
      'The service failed. Try the request again, with the same Idempotency-Key if you sent one. If a server that it ' +
      'depends on cannot be reached, `Retry-After` says when.',
  },
} as const

const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'selections is required: name at least one platform',
  not_supported: 'platform: analytics are available for youtube, x, pinterest, bluesky, mastodon only, not for tiktok',
  missing_api_key: 'Send your API key in the header Authorization: Bearer <API_KEY>.',
  invalid_api_key: 'No such API key.',
  revoked_api_key: 'This API key was revoked.',
  insufficient_scope: 'This API key lacks the scope posts:write.',
  forbidden: 'This post belongs to someone else.',
  not_found: 'No such post.',
  method_not_allowed: 'PUT is not allowed here, only GET, HEAD, POST.',
  failed_precondition: 'The reply has already been sent.',
  rate_limit_exceeded: 'Too many requests. Try again in 17 s.',
  resource_exhausted: 'The video costs 3 credits, and the workspace has 1. Nothing was charged.',
  internal_error: 'An internal error occurred. Try again; the requestId identifies this failure in the log.',
}

const HEADERS = {
  'X-Request-Id': { schema: { type: 'string' }, description: 'Identifies the request in the log.' },
  'X-RateLimit-Limit': {
    schema: { type: 'integer' },
    description: 'Requests allowed per minute or per day, whichever has fewer left.',
  },
  'X-RateLimit-Remaining': { schema: { type: 'integer' }, description: 'Requests left in that window.' },
  'X-RateLimit-Reset': { schema: { type: 'integer' }, description: 'When that window resets, in Unix epoch seconds.' },
}
const RETRY_AFTER = {
  schema: { type: 'integer' },
  description: 'Seconds to wait. Not sent if the cause is too few credits, or unknown.',
}
const REPLAYED = { schema: { const: 'true' }, description: 'Sent if this is the response to an earlier request.' }

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
      OtherError: { description: 'Any other error, for example for a malformed HTTP request.', ...ERROR_ANSWER },
    },
    schemas: {
      ...Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      ...ANSWERS,
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
    headers: { ...headers, ...([429, 500].includes(status) ? pointers(['Retry-After']) : {}) },
    content: {
      'application/json': { ...content['application/json'], examples: Object.fromEntries(examples) as object },
    },
  }
}
