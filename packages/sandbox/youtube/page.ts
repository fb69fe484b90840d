import * as z from 'zod'
import { pageAfter } from '../page-after.ts'
import { googleRefusal } from './refusal.ts'

export const paging = {
  maxResults: z.coerce.number().int().min(1).max(100).optional(),
  pageToken: z.string().optional(),
}

/** What is selected by id has no pages. */
export const notWithId = [
  ({
    id,
    maxResults,
    pageToken,
  }: {
    readonly id?: unknown
    readonly maxResults?: unknown
    readonly pageToken?: unknown
  }) => id === undefined || (maxResults === undefined && pageToken === undefined),
  'maxResults and pageToken are not supported with id',
] as const

/**
 * A page of a list, with the token of the next one.
 *
 * @throws StandInRefusal 400 for a token of another list
 */
export function pageOf<Item extends { readonly id: string }>(
  all: readonly Item[],
  {
    id = [],
    maxResults = Math.max(20, id.length),
    pageToken,
  }: {
    readonly id?: readonly string[] | undefined
    readonly maxResults?: number | undefined
    readonly pageToken?: string | undefined
  },
): { readonly items: readonly Item[]; readonly resultsPerPage: number; readonly next: string | undefined } {
  const found = pageAfter(all, maxResults, pageToken)
  if (!found) throw googleRefusal(400, 'invalidPageToken', 'The request specifies an invalid page token.')
  return { items: found.page, resultsPerPage: maxResults, next: found.next }
}
