import * as z from 'zod'
import { HttpFailure } from '../../infra/http/http.ts'
import { PlatformError, type PlatformAccount, type PlatformIo } from '../kit/platform.ts'
import { listAs } from './call.ts'

/** The maximum page size. */
const LARGEST = 100

export const pageAnswer = z.object({
  items: z.array(z.unknown()).default([]),
  nextPageToken: z.string().min(1).optional(),
})
export type Page = z.infer<typeof pageAnswer>

/**
 * One page of a list, by the token from the previous page. If long texts exceed our response size limit, retries with
 * fewer items.
 *
 * @throws PlatformError
 */
export async function pageOf(
  account: PlatformAccount,
  resource: string,
  query: Readonly<Record<string, string>>,
  pageToken: string | undefined,
  io: PlatformIo,
): Promise<Page> {
  const asked = { ...query, ...(pageToken !== undefined && { pageToken }) }
  for (let size = LARGEST; ; size /= 10) {
    try {
      return await listAs(account, resource, { ...asked, maxResults: String(size) }, pageAnswer, io)
    } catch (error) {
      if (size === 1 || !isTooLarge(error)) throw error
    }
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof PlatformError && error.cause instanceof HttpFailure && error.cause.kind === 'too-large'
}

/** A function that returns `true` for the given number of calls. */
export function allowance(times: number): () => boolean {
  let left = times
  return () => left-- > 0
}
