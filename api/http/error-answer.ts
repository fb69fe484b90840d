import { STATUS_CODES } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { ERROR_STATUS, Refusal, type Detail, type ErrorCode } from '../../domain/core/errors.ts'
import { UnreadableEvent } from '../../domain/core/event.ts'
import { isUnavailable } from '../../infra/postgres/errors.ts'
import { AppendTooLarge } from '../../event-log/limits.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { allowanceHeaders, type Allowance } from './rate-limit.ts'
import { TimedOut } from './time-limit.ts'

export interface ApiError {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly details?: readonly Detail[] | undefined
}

const INTERNAL: ApiError = {
  status: 500,
  code: 'internal_error',
  message: 'An internal error occurred. Try again; the requestId identifies this failure in the log.',
}

const AWAY: ApiError = {
  ...INTERNAL,
  message:
    'A server that Fanfare depends on cannot be reached. Send the request again after the seconds in Retry-After, ' +
    'with the same Idempotency-Key if it has one: then nothing is done twice.',
}
const AWAY_RETRY_AFTER_S = 2

const TOO_SLOW: ApiError = { status: 408, code: 'invalid_request', message: 'the request took too long to arrive' }

/** The framework's own errors in the API's terms. Those without a code in the contract keep their status. */
const FRAMEWORK: Readonly<Record<string, Omit<ApiError, 'code'>>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, message: 'the body is over the limit of 10 MB' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 400, message: 'send the body as Content-Type: application/json' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, message: 'the body is empty; send a JSON object' },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, message: 'the body is not JSON' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, message: 'the length of the body does not match Content-Length' },
  FST_ERR_BAD_URL: { status: 400, message: 'the path is not a valid URL path' },
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof Refusal) {
    const { code, message, details } = error
    return { status: ERROR_STATUS[code], code, message, details }
  }
  if (error instanceof AppendTooLarge) {
    return { status: 400, code: 'invalid_request', message: `the request is too large to store: ${error.message}` }
  }
  if (error instanceof UnreadableEvent) return { ...INTERNAL, message: error.message }
  if (isBrief(error)) return AWAY
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = FRAMEWORK[code]
  if (known) return { code: 'invalid_request', ...known }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500 && error instanceof Error) {
    return { status: 400, code: 'invalid_request', message: error.message }
  }
  return INTERNAL
}

/** A failure that time alone may end. */
function isBrief(error: unknown): boolean {
  return error instanceof TimedOut || isUnavailable(error)
}

/** Seconds until a retry may succeed, when waiting is enough. */
export function retryAfterS(error: unknown): number | undefined {
  if (error instanceof Refusal) return error.retryAfterS
  return isBrief(error) ? AWAY_RETRY_AFTER_S : undefined
}

/** Like `toApiError`, but also logs the error when it is the service's fault. */
export function loggedApiError(error: unknown, logger: Logger, requestId: string): ApiError {
  const apiError = toApiError(error)
  if (apiError.status >= 500) {
    const err = error instanceof Error ? error : new Error(`thrown: ${String(error)}`)
    logger.error({ err, requestId }, 'request failed')
  }
  return apiError
}

/**
 * Answers with the error envelope of api-spec §7.
 *
 * @param sent wraps the envelope's text for sending
 */
export function answerError(
  reply: FastifyReply,
  error: unknown,
  requestId: string,
  sent: (text: string, status: number) => string | Readable = (text) => text,
): FastifyReply {
  const { status, code, message, details } = toApiError(error)
  // RFC 9110 §15.5.2 requires it, and MCP clients check it.
  if (status === 401 && !reply.hasHeader('WWW-Authenticate')) reply.header('WWW-Authenticate', 'Bearer')
  const wait = retryAfterS(error)
  if (wait !== undefined) reply.header('Retry-After', wait)
  const text = JSON.stringify({ error: { code, message, requestId, details } })
  return reply
    .code(status)
    .header('X-Request-Id', requestId)
    .header('X-Content-Type-Options', 'nosniff')
    .type('application/json; charset=utf-8')
    .header('Content-Length', Buffer.byteLength(text))
    .send(sent(text, status))
}

const BAD_REQUEST = { status: 400, message: 'the request is not valid HTTP' }
const CLIENT_ERRORS: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
}

/** The same envelope for what never became a request, written directly to the socket. */
export function answerRaw(
  socket: Duplex,
  error: Error & { code?: string },
  requestId: string,
  allowance: Allowance,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, message } = CLIENT_ERRORS[error.code ?? ''] ?? BAD_REQUEST
  const body = JSON.stringify({ error: { code: 'invalid_request', message, requestId } })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      ...Object.entries(allowanceHeaders(allowance)).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
