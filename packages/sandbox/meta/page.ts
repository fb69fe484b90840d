import * as z from 'zod'

/** Parameters of a list, with the bounds and the default of `limit`. */
export function listQuery(least: number, most: number, usual: number) {
  return {
    fields: z.string().optional(),
    limit: z.coerce.number().int().min(least).max(most).default(usual),
    after: z.string().optional(),
  }
}

/**
 * One page of a list, with the cursor and the address of the next one.
 *
 * @param after id of the last item seen
 * @param url of the list, with what the next page is asked for by
 */
export function pageOf<T extends { readonly id: string }>(
  all: readonly T[],
  { after, limit, url }: { readonly after?: string | undefined; readonly limit: number; readonly url: string },
  shown: (item: T) => object,
): object {
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  const page = all.slice(start, start + limit)
  const [first, last] = [page[0], page.at(-1)]
  if (!first || !last) return { data: [] }
  const cursors = { before: first.id, after: last.id }
  if (start + limit >= all.length) return { data: page.map(shown), paging: { cursors } }
  const next = new URL(url)
  next.searchParams.set('limit', String(limit))
  next.searchParams.set('after', last.id)
  return { data: page.map(shown), paging: { cursors, next: next.href } }
}
