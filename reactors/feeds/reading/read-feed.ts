import { HttpFailure, type Http } from '../../../infra/http/http.ts'
import { contentProblem, fetchProblem, statusProblem } from './feed-problem.ts'
import type { FeedParser } from './feed-parser.ts'
import type { FeedExtent, FeedItem } from './feed.ts'
import { fetchFeed, type FeedVersion } from './fetch-feed.ts'

export type FeedReading =
  | { readonly outcome: 'not-modified' }
  /** At most 2,000 in the document's order; of more, the first and the last. Pass the version to the next read. */
  | ({ readonly outcome: 'read'; readonly items: readonly FeedItem[] } & FeedExtent & FeedVersion)
  /** One sentence for the user: what is wrong, and what to do. */
  | { readonly outcome: 'failed'; readonly error: string }

export interface FeedIo {
  readonly http: Http
  readonly parser: Pick<FeedParser, 'parse'>
  readonly signal: AbortSignal
}

/**
 * Reads an RSS or Atom feed (api-spec "RSS feeds"): at most 5 MB within 10 s over at most 3 redirects, and nothing if the version
 * is still the earlier one. The document then waits for the parser, which takes at most 3 s.
 *
 * Whatever the server does is an outcome, not an error.
 *
 * @throws the signal's reason once it has aborted
 */
export async function readFeed(url: string, earlier: FeedVersion, io: FeedIo): Promise<FeedReading> {
  try {
    const fetched = await fetchFeed(url, earlier, io)
    if (fetched.kind === 'not-modified') return { outcome: 'not-modified' }
    if (fetched.kind === 'refused') return failed(statusProblem(fetched.status))
    const { blocks, contentType, url: from } = fetched.document
    const parsed = await unlessAborted(io.signal, io.parser.parse(blocks, contentType, from))
    if (parsed.kind !== 'feed') return failed(contentProblem(parsed))
    const { items, isWhole, isCutOff } = parsed
    return { outcome: 'read', items, isWhole, isCutOff, ...fetched.version }
  } catch (error) {
    io.signal.throwIfAborted()
    if (error instanceof HttpFailure) return failed(fetchProblem(error))
    throw error
  }
}

function failed(error: string): FeedReading {
  return { outcome: 'failed', error }
}

/** Parsing cannot be canceled, but the caller need not wait for it. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
