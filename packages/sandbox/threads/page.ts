import * as z from 'zod'

/** Threads has no posts from before its own first day. */
export const FIRST_SECOND = 1_688_540_400

export const cursor = z.string().regex(/^[A-Za-z0-9_-]+$/)

/** One page of a list: it has cursors, but no `next`; the list ends with an empty page. */
export function pageOf<T extends { readonly id: string }>(
  all: readonly T[],
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
  shown: (item: T) => object,
): object {
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === idOf(after)) + 1
  const page = all.slice(start, start + limit)
  const [first, last] = [page[0], page.at(-1)]
  return {
    data: page.map(shown),
    ...(first && last && { paging: { cursors: { before: cursorOf(first), after: cursorOf(last) } } }),
  }
}

function cursorOf({ id }: { readonly id: string }): string {
  return Buffer.from(id).toString('base64url')
}

function idOf(after: string): string {
  return Buffer.from(after, 'base64url').toString()
}
