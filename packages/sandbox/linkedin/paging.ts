import * as z from 'zod'

/** Parameters of every paged list. */
export const pageQuery = {
  start: z.coerce.number().int().min(0).default(0),
  count: z.coerce.number().int().min(1).max(100).default(10),
}

/** One page of a list, and whether there is another. */
export function paged<Row>(
  rows: readonly Row[],
  { start, count }: { readonly start: number; readonly count: number },
  path: string,
  shown: (row: Row) => object,
): object {
  const next = { type: 'application/json', rel: 'next', href: `${path}?start=${start + count}&count=${count}` }
  const links = start + count < rows.length ? [next] : []
  const elements = rows.slice(start, start + count).map(shown)
  return { elements, paging: { start, count, links, total: rows.length } }
}
