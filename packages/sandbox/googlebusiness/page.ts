import * as z from 'zod'
import { invalid } from './refusal.ts'

/** The first page holds fewer items than requested, as Google's may, to catch callers that read only one page. */
const ON_THE_FIRST_PAGE = 2

export function pageQuery(usual: number, most: number) {
  return { pageSize: z.coerce.number().int().min(1).max(most).default(usual), pageToken: z.string().optional() }
}

/** One page of a list. Google omits whatever is empty: the list itself, and `nextPageToken` on the last page. */
export function pageOf<Name extends string, Item>(
  name: Name,
  all: readonly Item[],
  { pageSize, pageToken }: { readonly pageSize: number; readonly pageToken?: string | undefined },
  most = Infinity,
): object {
  const start = pageToken === undefined ? 0 : Number(Buffer.from(pageToken, 'base64url').toString())
  if (!Number.isSafeInteger(start) || start < 0) throw invalid('page_token: not one of ours')
  const end = start + Math.min(pageSize, start === 0 ? ON_THE_FIRST_PAGE : pageSize, most)
  return {
    ...(all.length > start && { [name]: all.slice(start, end) }),
    ...(end < all.length && { nextPageToken: Buffer.from(String(end)).toString('base64url') }),
  }
}
