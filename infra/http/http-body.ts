import { pipeline, Transform } from 'node:stream'
import { createUnzip } from 'node:zlib'
import { HttpFailure } from './http.ts'
import type { Answer } from './http-exchange.ts'
import { errorCode } from './outbound-address.ts'

/** The encodings that we ask for. Not Brotli: each answer could tie up 16 MB. */
export const ACCEPT_ENCODING = 'gzip'

/** RFC 9110 §8.4.1. Unzip handles both gzip and zlib, which is what `deflate` means. */
const DECODERS = new Map<string, () => Transform>([
  ['gzip', createUnzip],
  ['x-gzip', createUnzip],
  ['deflate', createUnzip],
])

/** Allowance for the coding's own overhead. Without a limit on the input, empty gzip members could arrive forever. */
const CODING_OVERHEAD = 64 * 1024

/**
 * The decoded body, or the raw one if decoding is off, limited to `maxBytes`: anything beyond is neither inflated nor received,
 * because the connection is destroyed. Headers that no longer describe the body are removed.
 *
 * @throws HttpFailure `too-large` if the answer's own headers say so, `malformed` for an unsupported coding
 */
export function decoded(
  { headers, body }: Answer,
  method: string,
  { maxBytes, decode }: { readonly maxBytes: number; readonly decode: boolean },
): Omit<Answer, 'status'> {
  const refuse = (failure: HttpFailure): never => {
    body.destroy(failure)
    throw failure
  }
  const { 'content-encoding': coding = '', 'content-length': length, ...rest } = headers
  const name = coding.trim().toLowerCase()
  if (!decode || name === '' || name === 'identity' || method === 'HEAD') {
    if (method !== 'HEAD' && Number(length) > maxBytes) refuse(tooLarge(maxBytes))
    if (maxBytes === Number.POSITIVE_INFINITY) return { headers, body }
    const within = limit(maxBytes)
    pipeline(body, within, () => {})
    return { headers, body: within }
  }
  const decoder = DECODERS.get(name)
  if (!decoder) return refuse(new HttpFailure('malformed', `the response's encoding is not supported: ${name}`, true))
  const within = limit(maxBytes)
  pipeline(body, limit(maxBytes, CODING_OVERHEAD), decoder(), within, () => {})
  return { headers: rest, body: within }
}

function limit(maxBytes: number, more = 0): Transform {
  let seen = 0
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      seen += chunk.length
      if (seen > maxBytes + more) done(tooLarge(maxBytes))
      else done(null, chunk)
    },
    destroy: (error, done) => done(error && toFailure(error)),
  })
}

function tooLarge(maxBytes: number): HttpFailure {
  return new HttpFailure('too-large', `the response is larger than ${maxBytes} bytes`, true)
}

function toFailure(error: Error): HttpFailure {
  if (error instanceof HttpFailure) return error
  const message = `the response could not be decoded (${errorCode(error)})`
  return new HttpFailure('malformed', message, true, { cause: error })
}
