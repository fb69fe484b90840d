/**
 * One page of a list, and the token of the next one. The token identifies the page's last item, so that additions do not shift
 * items between pages.
 *
 * @returns undefined for a token of another list
 */
export function pageAfter<Item extends { readonly id: string }>(
  items: readonly Item[],
  count: number,
  token: string | undefined,
): { readonly page: readonly Item[]; readonly next: string | undefined } | undefined {
  const before = token === undefined ? -1 : items.findIndex(({ id }) => tokenOf(id) === token)
  if (token !== undefined && before === -1) return undefined
  const end = before + 1 + count
  const page = items.slice(before + 1, end)
  const last = page.at(-1)
  return { page, next: end < items.length && last ? tokenOf(last.id) : undefined }
}

function tokenOf(id: string): string {
  return Buffer.from(`after ${id}`).toString('base64url')
}
