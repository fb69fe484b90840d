import type { Http, HttpRequest } from './http.ts'

/** The part of the platform's `fetch` that libraries call. */
export type Fetch = (url: string | URL, init: FetchInit) => Promise<Response>

interface FetchInit {
  /** Default `POST`. */
  readonly method?: string
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  readonly body?: string | null
  readonly signal?: AbortSignal | null
}

const MAX_BYTES = 1024 * 1024
/** Statuses without a body (Fetch standard §2.2.3). */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * The guarded HTTP client as the `fetch` of a library, such as the AI SDK: one vetted connection, one time limit, one size limit,
 * and no redirect that would take the key elsewhere.
 *
 * @param timeoutMs for the whole exchange
 * @returns a function that throws HttpFailure
 */
export function httpFetch(http: Http, { timeoutMs }: { readonly timeoutMs: number }): Fetch {
  return async (url, { method = 'POST', headers, body, signal }) => {
    const answer = await http.request(String(url), {
      method: method as NonNullable<HttpRequest['method']>,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { body }),
      timeoutMs,
      maxBytes: MAX_BYTES,
      ...(signal && { signal }),
    })
    const { status } = answer
    return new Response(WITHOUT_BODY.has(status) ? null : answer.text(), { status, headers: answer.headers })
  }
}
