import type { Http, HttpResponse } from '../http/http.ts'
import { trimEnd } from '../runtime/trim-end.ts'
import { GenerationError } from './generation-error.ts'

/** The part of a request that the AI SDK passes to its `fetch` for clips and speech. */
export interface ProviderRequest {
  readonly method?: string
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  readonly body?: string
  readonly signal?: AbortSignal | null
}

export type ProviderFetch = (url: string | URL, request: ProviderRequest) => Promise<Response>

/** Sends a request to the provider. @throws HttpFailure; GenerationError when the address is not the provider's */
export type Send = (url: string, request: ProviderRequest) => Promise<HttpResponse>

/** An API by the base URL that the SDK uses and the one where we reach it. Neither ends with a slash. */
export interface ApiPlace {
  readonly known: string
  readonly actual: string
}

/**
 * The guarded HTTP client restricted to one API, with no redirect that would take the key elsewhere. Some of the SDK's models
 * hardcode their address, and answers contain further ones: all are rewritten to where we reach the API.
 *
 * @param limits of one exchange
 */
export function providerSend(
  http: Http,
  place: ApiPlace,
  limits: { readonly timeoutMs: number; readonly maxBytes: number },
): Send {
  return async (url, { method, headers, body, signal }) => {
    const address = actualAddress(place, url)
    if (address === undefined) {
      throw new GenerationError('permanent', 'The provider returned an address that is not its own.')
    }
    return http.request(address, {
      ...limits,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
  }
}

/** Where we reach an address of the API; `undefined` if it does not belong to the API. */
export function actualAddress({ known, actual }: ApiPlace, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { href } = new URL(url)
  const base = trimEnd(new URL(known).href, /^\/$/)
  return href.startsWith(`${base}/`) ? `${actual}${href.slice(base.length)}` : undefined
}

export function asResponse({ status, headers, body }: HttpResponse): Response {
  return new Response(body.length === 0 ? null : Uint8Array.from(body), { status, headers })
}

export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status <= 299
}
