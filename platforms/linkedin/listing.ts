import { z } from 'zod'
import type { PlatformIo } from '../kit/platform.ts'
import { bodyOf } from '../kit/rest.ts'
import { callAs, type Call } from './api.ts'

const PAGE = 50
/** An end to a list that has none. */
const MOST_PAGES = 40

const page = z.object({
  elements: z.array(z.unknown()),
  paging: z
    .object({ total: z.number().optional(), links: z.array(z.object({ rel: z.string() })).optional() })
    .optional()
    .catch(undefined),
})
type Page = z.infer<typeof page>

/**
 * A page of an author's posts, newest first, each as LinkedIn has it.
 *
 * @throws PlatformError
 */
export async function postsOf(
  author: string,
  { start, count }: { readonly start: number; readonly count: number },
  baseUrl: string | undefined,
  io: PlatformIo,
): Promise<readonly unknown[]> {
  const query = `q=author&author=${encodeURIComponent(author)}&count=${count}&start=${start}&sortBy=CREATED`
  const call: Call = { method: 'GET', path: `/rest/posts?${query}`, headers: { 'x-restli-method': 'FINDER' } }
  const response = await callAs(baseUrl, call, io)
  return bodyOf('linkedin', { ...call, url: call.path }, response, page).elements
}

/**
 * A list from its start to its end, each element as LinkedIn has it.
 *
 * @param path without `start` and `count`
 * @returns pages; after the last one that is looked through, `isLast` tells whether it was the list's
 * @throws PlatformError
 */
export async function* pagesOf(
  path: `/rest/${string}`,
  baseUrl: string | undefined,
  io: PlatformIo,
): AsyncGenerator<{ readonly elements: readonly unknown[]; readonly isLast: boolean }> {
  for (let start = 0; start < PAGE * MOST_PAGES; start += PAGE) {
    const query = `${path.includes('?') ? '&' : '?'}start=${start}&count=${PAGE}`
    const call: Call = { method: 'GET', path: `${path}${query}` }
    const response = await callAs(baseUrl, call, io)
    const answer = bodyOf('linkedin', { ...call, url: call.path }, response, page)
    const isLast = !goesOn(answer, start)
    yield { elements: answer.elements, isLast }
    if (isLast) return
  }
}

/** A page may be short though more follow: what LinkedIn says of the list counts, as far as it says it. */
function goesOn({ elements, paging }: Page, start: number): boolean {
  if (elements.length === 0) return false
  if (paging?.links?.some(({ rel }) => rel === 'next')) return true
  return paging?.total === undefined ? elements.length >= PAGE : start + PAGE < paging.total
}
