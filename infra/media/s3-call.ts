import { text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import type { Http, HttpStream } from '../http/http.ts'
import type { Clock } from '../runtime/clock.ts'
import type { S3Bucket } from '../runtime/media-settings.ts'
import { asRefusalError, asUnansweredError, codeIn } from './s3-refusal.ts'
import { signedRequest, type S3Request } from './s3-request.ts'
import { MediaStoreError } from './store-error.ts'

/** A client for the store's own address, which may be private, and the clock for the pauses. */
export interface S3Io {
  readonly http: Http
  readonly clock: Clock
}

/**
 * Makes a call and retries transient failures. Every call is safe to repeat: a PUT writes the same file again.
 *
 * @param bytes how many it transfers
 * @returns the answer, with the body of a GET unread: 2xx, 404 for a missing file, and any HEAD status below 500, which has no
 *   body to say why
 * @throws MediaStoreError
 */
export type S3Call = (request: S3Request, bytes: number, signal: AbortSignal) => Promise<HttpStream>

/** Milliseconds before the second and third attempts. */
const PAUSES_MS = [500, 2_000]

/** Timeout: a base, plus the time to transfer the bytes at the slowest acceptable rate, 50 KB/s. */
const START_MS = 10_000
const BYTES_PER_MS = 50
/** Room for an error body. */
const REFUSAL_BYTES = 64 * 1024

export function s3Call(bucket: S3Bucket, { http, clock }: S3Io): S3Call {
  const once: S3Call = async (request, bytes, signal) => {
    const { url, ...signed } = await signedRequest(bucket, request, clock.now(), signal)
    const limits = {
      timeoutMs: START_MS + Math.ceil(bytes / BYTES_PER_MS),
      maxBytes: Math.max(bytes, REFUSAL_BYTES),
      decode: false,
    }
    try {
      const answer = await http.stream(url, { ...signed, ...limits, signal })
      const { status, headers } = answer
      if ((status >= 200 && status < 300) || (request.method === 'HEAD' && status < 500)) {
        if (request.method !== 'GET') await finished(answer.body.resume())
        return answer
      }
      const said = await text(answer.body)
      if (status === 404 && codeIn(said) === 'NoSuchKey') return answer
      throw asRefusalError({ status, text: said, region: headers['x-amz-bucket-region'] })
    } catch (error) {
      throw asUnansweredError(error)
    }
  }
  return async (request, bytes, signal) => {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await once(request, bytes, signal)
      } catch (error) {
        if (!(error instanceof MediaStoreError) || !error.passes) throw error
        await clock.sleep(pauseMs, signal)
      }
    }
    return once(request, bytes, signal)
  }
}
