import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { HttpRequest } from '../http/http.ts'
import type { S3Bucket } from '../runtime/media-settings.ts'
import { mimeTypeOf } from './media-name.ts'
import type { MediaContent } from './store.ts'

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  readonly name: string
  /** Not signed: a proxy on the way may change them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly content?: MediaContent
}

/** Signed in place of the content's hash, where TLS protects the content in transit. */
const UNSIGNED = 'UNSIGNED-PAYLOAD'
const HASH_OF_NOTHING = createHash('sha256').digest('hex')

/**
 * A signed S3 request (AWS Signature Version 4 in the `Authorization` header).
 *
 * @param now ms since the epoch; stores reject a signature whose time is more than 15 minutes off their own
 */
export async function signedRequest(
  { bucketUrl, region, accessKeyId, secretAccessKey }: S3Bucket,
  { method, name, headers, content }: S3Request,
  now: number,
  signal: AbortSignal,
): Promise<{ readonly url: string } & Pick<HttpRequest, 'method' | 'headers' | 'body'>> {
  const url = `${bucketUrl}/${name}`
  const signer = new AwsV4Signer({
    ...{ method, url, region, accessKeyId, secretAccessKey },
    service: 's3',
    datetime: basicTime(now),
    headers: {
      'x-amz-content-sha256': content ? await hashOf(bucketUrl, content, signal) : HASH_OF_NOTHING,
      ...(content && { 'content-type': mimeTypeOf(name) }),
    },
    // All headers given above; S3 requires the content type to be among them.
    allHeaders: true,
  })
  const signed = Object.fromEntries((await signer.sign()).headers)
  return {
    url,
    method,
    headers: {
      ...signed,
      'accept-encoding': 'identity',
      ...headers,
      ...(content && { 'content-length': String(content.bytes) }),
    },
    ...(content && { body: content.open() }),
  }
}

async function hashOf(bucketUrl: string, content: MediaContent, signal: AbortSignal): Promise<string> {
  if (bucketUrl.startsWith('https:')) return UNSIGNED
  const hash = createHash('sha256')
  await pipeline(content.open(), hash, { signal })
  return hash.digest('hex')
}

/** ISO 8601 without its separators: `20261122T092300Z`. */
function basicTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '')
}
