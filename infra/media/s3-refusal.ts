import { HttpFailure } from '../http/http.ts'
import { MediaStoreError } from './store-error.ts'

/** An S3 store's error answer. */
export interface S3Refusal {
  readonly status: number
  /** The body, usually XML. Empty after HEAD. */
  readonly text: string
  /** `x-amz-bucket-region`: the actual region of the bucket. */
  readonly region: string | undefined
}

/** The codes that the operator can act on (Amazon S3 API reference, "Error responses"). */
const WORDS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'it has no bucket with the name in MEDIA_S3_BUCKET',
  AccessDenied:
    'it denied access: MEDIA_S3_ACCESS_KEY_ID must be allowed to read, write, delete and list in the bucket',
  InvalidAccessKeyId: 'it does not know MEDIA_S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'MEDIA_S3_SECRET_ACCESS_KEY is not the secret of MEDIA_S3_ACCESS_KEY_ID',
  RequestTimeTooSkewed: "its clock and this computer's differ too much",
  QuotaExceeded: 'it is full',
  XMinioStorageFull: 'it is full',
  PreconditionFailed: 'the file was replaced while it was being read',
}
const OTHER_REGION = new Set([
  'PermanentRedirect',
  'TemporaryRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
])
/** Codes that ask for a retry; the status alone does not show it. */
const PASSING = new Set(['RequestTimeout', 'SlowDown', 'ServiceUnavailable', 'InternalError'])

/** The `Code` in the answer's XML. */
export function codeIn(text: string): string | undefined {
  return /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(text)?.[1]
}

export function asRefusalError({ status, text, region }: S3Refusal): MediaStoreError {
  const code = codeIn(text)
  const passes = status >= 500 || status === 408 || status === 429 || (code !== undefined && PASSING.has(code))
  return new MediaStoreError(`the media store failed: ${wordsFor(status, code, region)}`, { passes })
}

function wordsFor(status: number, code: string | undefined, region: string | undefined): string {
  if (code !== undefined && OTHER_REGION.has(code)) {
    const where = region !== undefined && /^[a-z0-9-]{1,40}$/.test(region) ? ` (its bucket is in ${region})` : ''
    return `MEDIA_S3_REGION or MEDIA_S3_ENDPOINT does not match the bucket${where}`
  }
  const words = code === undefined ? undefined : WORDS[code]
  return words ?? `it responded with ${status}${code === undefined ? '' : ` (${code})`}`
}

/** The error for a call without an answer; the caller's own abort stays as it is. */
export function asUnansweredError(error: unknown): unknown {
  if (!(error instanceof HttpFailure) || error.kind === 'aborted') return error
  const passes = error.kind === 'timeout' || error.kind === 'unreachable' || error.kind === 'reset'
  return new MediaStoreError(`the media store could not be reached: ${error.message}`, { passes, cause: error })
}
