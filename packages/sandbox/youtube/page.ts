import * as z from 'zod'
import { pageAfter } from '../page-after.ts'
import { googleRefusal } from './refusal.ts'

export const paging = {
  maxResults: z.coerce.number().int().min(1).max(100).optional(),
  pageToken: z.string().optional(),
}

/**
 * A page of a list, with the token of the next one.
 *
 * @throws StandInRefusal 400 for a token of another list
 */
export function pageOf<Item extends { readonly id: string }>(
  all: readonly Item[],
  { maxResults = 20, pageToken }: { readonly maxResults?: number | undefined; readonly pageToken?: string | undefined },
): { readonly items: readonly Item[]; readonly next: { readonly nextPageToken?: string } } {
  const found = pageAfter(all, maxResults, pageToken)
  if (!found) throw googleRefusal(400, 'invalidPageToken', 'The request specifies an invalid page token.')
  const { page, next } = found
  return { items: page, next: next === undefined ? {} : { nextPageToken: next } }
}
