import createClient, { type MaybeOptionalInit } from 'openapi-fetch'
import type {
  HttpMethod,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers'
import type { paths } from './api.ts'
import { errorOf } from './api-error.ts'
import { sendPatiently } from './repeat.ts'

export type { components, paths } from './api.ts'
export { ApiError, type Detail } from './api-error.ts'
export { webhookEvent, type WebhookEvent } from './webhook.ts'

export interface Options {
  /** Of a workspace, `fnf_…`. */
  readonly key: string
  /** Where the service is. Default: `http://127.0.0.1:3000` */
  readonly url?: string
  /** How often a request is sent at most. Default: 4 */
  readonly attempts?: number
  /** For each attempt (ms). Default: 60,000 */
  readonly timeoutMs?: number
  readonly fetch?: typeof globalThis.fetch
}

/** What an operation returns. */
export type Answer<Path extends keyof paths, Method extends HttpMethod & keyof paths[Path]> = SuccessResponse<
  ResponseObjectMap<paths[Path][Method] & Record<string | number, unknown>>,
  'application/json'
>
/** The request of an operation: `params` with `path`, `query` and `header`, and `body`. */
type Given<Init> = RequiredKeysOf<Init> extends never ? [Init?] : [Init]
/** @throws ApiError when the service refuses, with the reason */
type Call<Method extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Method>,
  Init extends MaybeOptionalInit<paths[Path], Method>,
>(
  path: Path,
  ...init: Given<Init>
) => Promise<Answer<Path, Method & keyof paths[Path]>>

/** Those with pages. */
type ListPath = {
  [Path in PathsWithMethod<paths, 'get'>]: Answer<Path, 'get'> extends { nextCursor: string | null } ? Path : never
}[PathsWithMethod<paths, 'get'>]
type ItemOf<Page> = { [Key in keyof Page]: Page[Key] extends readonly (infer Item)[] ? Item : never }[keyof Page]
type Upload = Omit<paths['/uploads']['post']['requestBody']['content']['application/json'], 'contentType' | 'sizeBytes'>

export interface Fanfare {
  readonly get: Call<'get'>
  readonly post: Call<'post'>
  readonly put: Call<'put'>
  readonly patch: Call<'patch'>
  readonly delete: Call<'delete'>
  /** Everything in a list, page by page as it is read. */
  all<Path extends ListPath, Init extends MaybeOptionalInit<paths[Path], 'get'>>(
    path: Path,
    ...init: Given<Init>
  ): AsyncGenerator<ItemOf<Answer<Path, 'get'>>>
  /**
   * Uploads a file, for example `await openAsBlob('bread.jpg', { type: 'image/jpeg' })`.
   *
   * @returns the `mediaUrl` of a post
   */
  upload(file: Blob, about: Upload): Promise<string>
}

/**
 * The API of one workspace. A request is sent again while the service cannot be reached, is overloaded or has failed; a POST with
 * the same idempotency key, so the service acts on it once.
 */
export function fanfare({ key, url = 'http://127.0.0.1:3000', ...patience }: Options): Fanfare {
  if (!key) throw new TypeError('key is missing: create one with "fanfare keys create"')
  const { fetch = globalThis.fetch, attempts = 4, timeoutMs = 60_000 } = patience
  const send = (request: Request) => sendPatiently(request, { fetch, attempts, timeoutMs })
  const headers = { Authorization: `Bearer ${key}` }
  const client = createClient<paths>({
    baseUrl: new URL('v1', url.endsWith('/') ? url : `${url}/`).href,
    headers,
    fetch: send,
  })

  const call =
    (method: HttpMethod) =>
    async (path: string, init: object = {}): Promise<unknown> => {
      const { data, error, response } = await client.request(method, path as never, init as never)
      if (!response.ok) throw errorOf(response, error)
      return data
    }
  const get = call('get')
  const post = call('post') as Call<'post'>

  async function* all(path: string, init: { readonly params?: { readonly query?: object } } = {}) {
    let cursor: string | null = null
    do {
      const query = { limit: 100, ...init.params?.query, ...(cursor !== null && { cursor }) }
      const page = (await get(path, { ...init, params: { ...init.params, query } })) as { nextCursor: string | null }
      // Each list has one array.
      yield* Object.values<unknown>({ ...page }).find(Array.isArray) as readonly unknown[]
      cursor = page.nextCursor
    } while (cursor !== null)
  }

  const upload = async (file: Blob, about: Upload): Promise<string> => {
    const body = { ...about, contentType: file.type, sizeBytes: file.size } as never
    const { uploadUrl, mediaUrl } = await post('/uploads', { body })
    const answer = await fetch(uploadUrl, { method: 'PUT', body: file })
    if (!answer.ok) throw errorOf(answer, await answer.json().catch(() => undefined))
    return mediaUrl
  }

  const calls = { get, post, put: call('put'), patch: call('patch'), delete: call('delete'), all, upload }
  return calls as unknown as Fanfare
}
