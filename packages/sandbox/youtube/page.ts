import { z } from 'zod'
import { googleRefusal } from './refusal.ts'

export const paging = {
  maxResults: z.coerce.number().int().min(1).max(100).optional(),
  pageToken: z.string().optional(),
}

/**
 * A page of a list, with the token of the next one. The token identifies the page's last item, so that additions do not shift
 * items between pages.
 *
 * @throws PlatformRefusal 400 for a token of another list
 */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  { maxResults = 20, pageToken }: { readonly maxResults?: number | undefined; readonly pageToken?: string | undefined },
): { readonly items: readonly Item[]; readonly next: { readonly nextPageToken?: string } } {
  const before = items.findIndex(({ id }) => tokenOf(id) === pageToken)
  if (pageToken !== undefined && before < 0) {
    throw googleRefusal(400, 'invalidPageToken', 'The request specifies an invalid page token.')
  }
  const page = items.slice(before + 1, before + 1 + maxResults)
  const last = page.at(-1)
  const isLast = before + 1 + page.length >= items.length
  return { items: page, next: isLast || !last ? {} : { nextPageToken: tokenOf(last.id) } }
}

function tokenOf(id: string): string {
  return Buffer.from(`after ${id}`).toString('base64url')
}
