import type { Http } from '../../../infra/http/http.ts'
import type { FeedDocument } from './feed.ts'

/** The validators of the version last read (RFC 9110 §8.8). */
export interface FeedVersion {
  readonly etag?: string
  readonly lastModified?: string
}

export type FetchedFeed =
  | { readonly kind: 'document'; readonly document: FeedDocument; readonly version: FeedVersion }
  | { readonly kind: 'not-modified' }
  /** Any other response without a document. */
  | { readonly kind: 'refused'; readonly status: number }

const LIMITS = { timeoutMs: 10_000, maxBytes: 5_000_000, maxRedirects: 3 }
const BLOCK_BYTES = 128 * 1024
const ACCEPT =
  'application/atom+xml, application/rss+xml, application/rdf+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.8, */*;q=0.1'
/** Values that can be sent back in a header. */
const SENDABLE = /^[\x20-\x7e]{1,1000}$/

/** Fetches a feed unless its version is the known one. @throws HttpFailure */
export async function fetchFeed(
  url: string,
  known: FeedVersion,
  { http, signal }: { readonly http: Http; readonly signal: AbortSignal },
): Promise<FetchedFeed> {
  const { etag, lastModified } = sendable(known)
  const headers = {
    accept: ACCEPT,
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
  const answer = await http.stream(url, { headers, signal, ...LIMITS })
  try {
    if (answer.status === 304 && (etag ?? lastModified) !== undefined) return { kind: 'not-modified' }
    if (answer.status < 200 || answer.status > 299) return { kind: 'refused', status: answer.status }
    const blocks = await collected(answer.body)
    const { 'content-type': contentType = '', etag: newEtag = '', 'last-modified': changed = '' } = answer.headers
    const document = { blocks, contentType, url: answer.url }
    return { kind: 'document', document, version: sendable({ etag: newEtag, lastModified: changed }) }
  } finally {
    answer.body.destroy()
  }
}

/** Collects the body in few blocks, which can be transferred to a thread: a server may send a million one-byte chunks. */
async function collected(body: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const full: Uint8Array<ArrayBuffer>[] = []
  let block = new Uint8Array(BLOCK_BYTES)
  let used = 0
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + block.length - used)
      block.set(part, used)
      at += part.length
      used += part.length
      if (used < block.length) continue
      full.push(block)
      block = new Uint8Array(BLOCK_BYTES)
      used = 0
    }
  }
  return [...full, block.subarray(0, used)]
}

function sendable({ etag = '', lastModified = '' }: FeedVersion): FeedVersion {
  return {
    ...(SENDABLE.test(etag) && { etag }),
    ...(SENDABLE.test(lastModified) && { lastModified }),
  }
}
