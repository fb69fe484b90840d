/**
 * One page of a list, with the cursor of the next one.
 *
 * @param after id of the last item seen
 */
export function pageOf<T extends { readonly id: string }>(
  all: readonly T[],
  { after, limit, url }: { after: string | undefined; limit: number; url: string },
  shown: (item: T) => object,
): object {
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  const page = all.slice(start, start + limit)
  const [first, last] = [page[0], page.at(-1)]
  if (!first || !last) return { data: [] }
  const next = start + limit < all.length ? { next: `${url}?after=${last.id}` } : {}
  return { data: page.map(shown), paging: { cursors: { before: first.id, after: last.id }, ...next } }
}
