import type * as z from 'zod'
import type { Answer } from '../answer.ts'
import { decodeOr, StandInRefusal } from '../stand-in-refusal.ts'

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
  invalidCommentThreadMetadata: 400,
  channelOrVideoIdMissing: 400,
  parentCommentNotFound: 404,
  videoNotFound: 404,
  channelNotFound: 404,
  internalError: 500,
  backendError: 503,
}

/** The refusal that a directive asks for. */
export function refusalFor(reason: string): StandInRefusal {
  return googleRefusal(STATUS[reason] ?? 403, reason, `Refused for ${reason}.`)
}

/** A refusal in the format of Google's older APIs. */
export function googleRefusal(status: number, reason: string, message: string, where: Where = {}): StandInRefusal {
  return new StandInRefusal(googleError(status, reason, message, where))
}

/** The part of the API that refuses, and what of the request. */
interface Where {
  readonly domain?: string
  readonly location?: string
  readonly locationType?: string
}

export function googleError(status: number, reason: string, message: string, where: Where = {}): Answer {
  const domain = reason === 'quotaExceeded' ? 'youtube.quota' : 'global'
  const named = status === 401 ? { status: 'UNAUTHENTICATED' } : {}
  const errors = [{ message, domain, reason, ...where }]
  return { status, body: { error: { code: status, message, errors, ...named } } }
}

/** @throws StandInRefusal 400, with the field's own reason if it has one */
export function decode<T>(
  schema: z.ZodType<T>,
  value: unknown,
  reasons: Readonly<Record<string, string>> = {},
  otherwise = 'badRequest',
): T {
  return decodeOr(schema, value, ({ issues: [first] }) => {
    const path = (first?.path ?? []).map(String).join('.')
    return googleRefusal(400, reasons[path] ?? otherwise, `${path || 'request'}: ${first?.message ?? 'invalid'}`)
  })
}

export function unexpected(status: number, message: string): Answer {
  return status < 500
    ? googleError(status, 'badRequest', message)
    : googleError(500, 'internalError', 'Internal error encountered.')
}
