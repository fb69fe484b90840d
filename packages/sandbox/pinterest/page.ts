import * as z from 'zod'
import { invalid } from './refusal.ts'

export const pageQuery = z.strictObject({
  page_size: z.coerce.number().int().min(1).max(250).default(25),
  bookmark: z.string().optional(),
})

/** One page of a list; `bookmark` is null on the last page. */
export function pageOf<Item>(
  all: readonly Item[],
  { page_size, bookmark }: z.output<typeof pageQuery>,
): { items: readonly Item[]; bookmark: string | null } {
  const from = bookmark === undefined ? '0' : Buffer.from(bookmark, 'base64url').toString()
  if (!/^\d{1,9}$/.test(from)) throw invalid('bookmark: not one of ours')
  const start = Number(from)
  const end = start + page_size
  return {
    items: all.slice(start, end),
    bookmark: end < all.length ? Buffer.from(String(end)).toString('base64url') : null,
  }
}
