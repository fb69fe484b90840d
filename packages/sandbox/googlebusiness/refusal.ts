import type { FastifyError, FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { Answer } from '../answer.ts'

/** A request that one of Google's APIs refuses. */
export class GoogleRefusal extends Error {
  readonly answer: Answer

  constructor(code: number, status: string, message: string, ...details: readonly object[]) {
    super(message)
    this.name = 'GoogleRefusal'
    this.answer = {
      status: code,
      body: { error: { code, message, status, ...(details.length > 0 && { details }) } },
    }
  }
}

const rpc = (type: string, fields: object) => ({ '@type': `type.googleapis.com/google.rpc.${type}`, ...fields })
const errorInfo = (reason: string, metadata: object = {}) =>
  rpc('ErrorInfo', { reason, domain: 'googleapis.com', metadata })

/** The older APIs report the cause in a detail of their own, with a vague message. */
function validation(code: number, message: string, field?: string): GoogleRefusal {
  return new GoogleRefusal(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', {
    '@type': 'type.googleapis.com/google.mybusiness.v4.ValidationError',
    errorDetails: [{ code, ...(field !== undefined && { field }), message }],
  })
}

function exhausted(limit: string): GoogleRefusal {
  const message = "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute'."
  const metadata = { quota_limit: 'DefaultRequestsPerMinutePerProject', quota_limit_value: limit }
  return new GoogleRefusal(429, 'RESOURCE_EXHAUSTED', message, errorInfo('RATE_LIMIT_EXCEEDED', metadata))
}

/** Errors that a test can also request by name. */
export const NAMED = {
  unauthenticated: new GoogleRefusal(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
  scope: new GoogleRefusal(
    403,
    'PERMISSION_DENIED',
    'Request had insufficient authentication scopes.',
    errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT'),
  ),
  disabled: new GoogleRefusal(
    403,
    'PERMISSION_DENIED',
    'Google My Business API has not been used in project 1 before or it is disabled.',
    errorInfo('SERVICE_DISABLED'),
  ),
  denied: new GoogleRefusal(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
  missing: new GoogleRefusal(404, 'NOT_FOUND', 'Requested entity was not found.'),
  fetching: validation(1000, 'Fetching image failed.', 'media[0].source_url'),
  small: validation(1001, 'The image is too small.', 'media[0].source_url'),
  image: validation(1002, 'The image cannot be read.', 'media[0].source_url'),
  video: validation(1003, 'Creating a video from a local post is not currently supported.', 'media[0].media_format'),
  invalid: validation(1004, 'The content is not allowed.', 'summary'),
  violation: new GoogleRefusal(
    400,
    'INVALID_ARGUMENT',
    'Request contains an invalid argument.',
    rpc('BadRequest', { fieldViolations: [{ field: 'call_to_action', description: 'Invalid value' }] }),
  ),
  unapproved: exhausted('0'),
  limited: exhausted('300'),
  internal: new GoogleRefusal(500, 'INTERNAL', 'Internal error encountered.'),
  unavailable: new GoogleRefusal(503, 'UNAVAILABLE', 'The service is currently unavailable.'),
  deadline: new GoogleRefusal(504, 'DEADLINE_EXCEEDED', 'Deadline exceeded.'),
} as const satisfies Readonly<Record<string, GoogleRefusal>>

export function invalid(description: string): GoogleRefusal {
  const violation = rpc('BadRequest', { fieldViolations: [{ field: 'request', description }] })
  return new GoogleRefusal(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', violation)
}

/** @throws GoogleRefusal 400 that names every invalid parameter */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(result.error.issues.map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`).join('; '))
}

export function sendGoogleError(error: FastifyError | GoogleRefusal, reply: FastifyReply): FastifyReply {
  if (error instanceof GoogleRefusal) return reply.code(error.answer.status).send(error.answer.body)
  const { status, body } = ((error.statusCode ?? 500) < 500 ? invalid(error.message) : NAMED.internal).answer
  return reply.code(status).send(body)
}
