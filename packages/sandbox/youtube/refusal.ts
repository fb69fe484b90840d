import type { FastifyError, FastifyReply } from 'fastify'
import type { z } from 'zod'

/** A request refused in the format of Google's APIs. */
export class GoogleRefusal extends Error {
  readonly status: number
  readonly reason: string

  constructor(status: number, reason: string, message: string) {
    super(message)
    this.name = 'GoogleRefusal'
    this.status = status
    this.reason = reason
  }
}

/** The status of each reason; 403 for all others. */
const STATUS: Readonly<Record<string, number>> = {
  youtubeSignupRequired: 401,
  authError: 401,
  uploadLimitExceeded: 400,
  mediaBodyRequired: 400,
  invalidTags: 400,
  invalidTitle: 400,
  invalidDescription: 400,
  invalidCategoryId: 400,
  invalidVideoMetadata: 400,
  invalidPublishAt: 400,
  invalidFilename: 400,
  commentTextRequired: 400,
  commentTextTooLong: 400,
  invalidCommentMetadata: 400,
  invalidCustomEmoji: 400,
  operationNotSupported: 400,
  parentCommentIsPrivate: 400,
  parentIdMissing: 400,
  processingFailure: 400,
  parentCommentNotFound: 404,
  internalError: 500,
  backendError: 503,
}

/** The refusal that a directive asks for. */
export function refusalFor(reason: string): GoogleRefusal {
  return new GoogleRefusal(STATUS[reason] ?? 403, reason, `Refused for ${reason}.`)
}

export function googleError(status: number, reason: string, message: string): object {
  const domain = reason === 'quotaExceeded' ? 'youtube.quota' : 'global'
  const named = status === 401 ? { status: 'UNAUTHENTICATED' } : {}
  return { error: { code: status, message, errors: [{ message, domain, reason }], ...named } }
}

/** @throws GoogleRefusal 400, with the field's own reason if it has one */
export function decode<T>(
  schema: z.ZodType<T>,
  value: unknown,
  reasons: Readonly<Record<string, string>> = {},
  otherwise = 'badRequest',
): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [first] = result.error.issues
  const path = (first?.path ?? []).map(String).join('.')
  throw new GoogleRefusal(400, reasons[path] ?? otherwise, `${path || 'request'}: ${first?.message ?? 'invalid'}`)
}

export function sendGoogleError(error: FastifyError | GoogleRefusal, reply: FastifyReply): FastifyReply {
  if (error instanceof GoogleRefusal) {
    return reply.code(error.status).send(googleError(error.status, error.reason, error.message))
  }
  const status = error.statusCode ?? 500
  return status < 500
    ? reply.code(status).send(googleError(status, 'badRequest', error.message))
    : reply.code(500).send(googleError(500, 'internalError', 'Internal error encountered.'))
}
