import createClient from 'openapi-fetch'
import type { paths } from '../../client/api.ts'
import { errorOf } from './api-error.ts'
import { send } from './transport.ts'

/** The public API, authenticated by the session in place of a key. */
export const api = createClient<paths, 'application/json'>({ baseUrl: '/v1', fetch: send })

/** The same operations on what is the user's own: notification channels. */
export const ownApi = createClient<paths>({ baseUrl: '/dashboard/api', fetch: send })

/** @throws ApiError when the API refuses, with the reason */
export async function answered<T>(
  call: Promise<{ readonly data?: T; readonly error?: unknown; readonly response: Response }>,
): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) throw errorOf(response, error)
  return data as T
}

/** An idempotency key. `randomUUID` is not available on a page loaded over plain HTTP from another computer. */
export function attemptName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The header that carries an idempotency key. */
export function named(attempt: string): { readonly header: { readonly 'Idempotency-Key': string } } {
  return { header: { 'Idempotency-Key': attempt } }
}
