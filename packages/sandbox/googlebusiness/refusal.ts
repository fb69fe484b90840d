import type * as z from 'zod'
import type { Answer } from '../answer.ts'
import { ownParameters } from '../google/own-parameters.ts'
import { decodeOr, invalidFields, StandInRefusal } from '../stand-in-refusal.ts'

/** A refusal in the format of Google's newer APIs. */
function googleRefusal(code: number, status: string, message: string, ...details: readonly object[]): StandInRefusal {
  const error = { code, message, status, ...(details.length > 0 && { details }) }
  return new StandInRefusal({ status: code, body: { error } })
}

const rpc = (type: string, fields: object) => ({ '@type': `type.googleapis.com/google.rpc.${type}`, ...fields })
const errorInfo = (reason: string, metadata: object = {}) =>
  rpc('ErrorInfo', { reason, domain: 'googleapis.com', metadata })

/** The older APIs report the cause in a detail of their own, with a vague message. */
function validation(code: number, message: string, field?: string): StandInRefusal {
  return googleRefusal(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', {
    '@type': 'type.googleapis.com/google.mybusiness.v4.ValidationError',
    errorDetails: [{ code, ...(field !== undefined && { field }), message }],
  })
}

function exhausted(limit: string): StandInRefusal {
  const message = "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute'."
  const metadata = { quota_limit: 'DefaultRequestsPerMinutePerProject', quota_limit_value: limit }
  return googleRefusal(429, 'RESOURCE_EXHAUSTED', message, errorInfo('RATE_LIMIT_EXCEEDED', metadata))
}

/** Errors that a test can also request by name. */
export const NAMED = {
  unauthenticated: googleRefusal(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
  scope: googleRefusal(
    403,
    'PERMISSION_DENIED',
    'Request had insufficient authentication scopes.',
    errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT'),
  ),
  disabled: googleRefusal(
    403,
    'PERMISSION_DENIED',
    'Google My Business API has not been used in project 1 before or it is disabled.',
    errorInfo('SERVICE_DISABLED'),
  ),
  denied: googleRefusal(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
  missing: googleRefusal(404, 'NOT_FOUND', 'Requested entity was not found.'),
  fetching: validation(1000, 'Fetching image failed.', 'media[0].source_url'),
  small: validation(1001, 'The image is too small.', 'media[0].source_url'),
  image: validation(1002, 'The image cannot be read.', 'media[0].source_url'),
  video: validation(1003, 'Creating a video from a local post is not currently supported.', 'media[0].media_format'),
  invalid: validation(1004, 'The content is not allowed.', 'summary'),
  violation: googleRefusal(
    400,
    'INVALID_ARGUMENT',
    'Request contains an invalid argument.',
    rpc('BadRequest', { fieldViolations: [{ field: 'call_to_action', description: 'Invalid value' }] }),
  ),
  unapproved: exhausted('0'),
  limited: exhausted('300'),
  method: googleRefusal(404, 'NOT_FOUND', 'Method not found.'),
  internal: googleRefusal(500, 'INTERNAL', 'Internal error encountered.'),
  unavailable: googleRefusal(503, 'UNAVAILABLE', 'The service is currently unavailable.'),
  deadline: googleRefusal(504, 'DEADLINE_EXCEEDED', 'Deadline exceeded.'),
} as const satisfies Readonly<Record<string, StandInRefusal>>

export function invalid(description: string): StandInRefusal {
  const violation = rpc('BadRequest', { fieldViolations: [{ field: 'request', description }] })
  return googleRefusal(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', violation)
}

/** @throws StandInRefusal 400 that names every invalid parameter */
export function decodeQuery<T>(schema: z.ZodType<T>, query: unknown): T {
  return decode(schema, ownParameters(query))
}

/** @throws StandInRefusal 400 that names every invalid field */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  return decodeOr(schema, value, (error) => invalid(invalidFields(error)))
}

export function unexpected(status: number, message: string): Answer {
  return (status < 500 ? invalid(message) : NAMED.internal).answer
}
