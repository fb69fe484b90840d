import type * as z from 'zod'
import type { Answer } from '../answer.ts'
import { decodeOr, invalidFields, StandInRefusal } from '../stand-in-refusal.ts'

const LOG_ID = '20260101000000000000000000000000'

/** Exceptions from 403, the status of most codes. */
const STATUS: Readonly<Record<string, number>> = {
  access_token_invalid: 401,
  scope_not_authorized: 401,
  scope_permission_missed: 400,
  invalid_param: 400,
  invalid_params: 400,
  app_version_check_failed: 400,
  invalid_publish_id: 400,
  token_not_authorized_for_specified_publish_id: 400,
  rate_limit_exceeded: 429,
  internal_error: 500,
}

export function refusal(code: string, message = `The request was refused: ${code}.`): StandInRefusal {
  return new StandInRefusal({ status: STATUS[code] ?? 403, body: envelope({}, code, message) })
}

/** The body of every answer of the API. */
export function envelope(data: object, code = 'ok', message = ''): object {
  return { data, error: { code, message, log_id: LOG_ID } }
}

/** The token endpoint has its own error format. */
export function tokenError(status: number, error: string, error_description: string): Answer {
  return { status, body: { error, error_description, log_id: LOG_ID } }
}

/** @throws StandInRefusal that names every invalid parameter */
export function decode<T>(schema: z.ZodType<T>, value: unknown, code = 'invalid_param'): T {
  return decodeOr(schema, value, (error) => refusal(code, invalidFields(error)))
}

export function unexpected(status: number, message: string): Answer {
  return { status, body: envelope({}, status < 500 ? 'invalid_params' : 'internal_error', message) }
}
