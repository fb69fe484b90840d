import type { MediaType } from '../../domain/core/platform.ts'
import { HttpFailure } from '../../infra/http/http.ts'
import { ConversionFailure } from '../../infra/media/converter.ts'
import { NotMedia } from '../../infra/media/media-facts.ts'
import type { MediaFacts } from '../../infra/media/media.ts'
import { PlatformError } from './platform.ts'
import { retryAfterMs } from './retry-after.ts'

const NOUN = { image: 'an image', video: 'a video', document: 'a document' } as const

/** The media exceeds the requested limit; its full size may be unknown. */
export class MediaTooLarge extends PlatformError {}

/** @param bytes actual size, or the lower bound at which the download was cut off */
export function tooLarge(mediaType: MediaType, bytes: number, maxBytes: number): MediaTooLarge {
  // Enough digits to tell the two apart.
  const digits = [1, 2, 3, 4, 5].find((digits) => megabytes(bytes, digits) !== megabytes(maxBytes, digits)) ?? 6
  const [has, most] = [megabytes(bytes, digits), megabytes(maxBytes, digits)]
  return new MediaTooLarge('permanent', `the ${mediaType} is too large: ${has} MB, but the limit is ${most} MB`)
}

export function wrongType(asked: MediaType, { mediaType, mimeType }: MediaFacts): PlatformError {
  return notWhatWasAsked(asked, `${NOUN[mediaType]} (${mimeType})`)
}

/** For a response other than 200. */
export function refusedByHost(status: number, retryAfter: string | undefined, now: number): PlatformError {
  const message = `the media's host returned HTTP ${status}`
  if (status >= 300 && status < 400) return new PlatformError('permanent', `${message}: too many redirects`)
  const passing = status >= 500 || status === 408 || status === 425 || status === 429
  const wait = retryAfterMs(retryAfter, now)
  return new PlatformError(
    passing ? 'retryable' : 'permanent',
    message,
    wait === undefined ? {} : { retryAfterMs: wait },
  )
}

/** Converts a failure during the transfer into an error worded for the user. */
export function asPlatformError(error: unknown, asked: MediaType): unknown {
  if (error instanceof NotMedia) return notWhatWasAsked(asked, error.message)
  if (error instanceof ConversionFailure) {
    const message = `the ${asked} could not be converted: ${error.message}`
    return new PlatformError(error.isOfMedia ? 'permanent' : 'retryable', message, { cause: error })
  }
  if (error instanceof HttpFailure) {
    const wrong = error.kind === 'bad-url' || error.kind === 'blocked'
    const message = wrong ? 'the media URL is not allowed' : 'the media could not be fetched'
    return new PlatformError(wrong ? 'permanent' : 'retryable', `${message}: ${error.message}`, { cause: error })
  }
  if (error instanceof Error && 'syscall' in error) {
    return new PlatformError('retryable', 'the media could not be stored while it was being fetched', { cause: error })
  }
  return error
}

function notWhatWasAsked(asked: MediaType, what: string): PlatformError {
  return new PlatformError('permanent', `the media is ${what}, but ${NOUN[asked]} was expected`)
}

/** Megabytes of 1,000,000 bytes, as in the platforms' own limits. */
function megabytes(bytes: number, digits: number): string {
  return String(Number((bytes / 1_000_000).toFixed(digits)))
}
