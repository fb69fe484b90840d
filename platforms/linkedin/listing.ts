import * as z from 'zod'
import type { PlatformIo } from '../kit/platform.ts'
import { bodyOf } from '../kit/rest.ts'
import { callAs, type Call } from './api.ts'

const PAGE = 50
/** Stops endless paging. */
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
 * A page of an author's raw posts, newest first.
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
 * Pages through a list of raw elements.
 *
 * @param path without `start` and `count`
 * @returns pages; `isLast` is false on the final one if the page limit cut the list off
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

/** A short page may still be followed by more, so LinkedIn's paging information decides where there is any. */
function goesOn({ elements, paging }: Page, start: number): boolean {
  if (elements.length === 0) return false
  if (paging?.links?.some(({ rel }) => rel === 'next')) return true
  return paging?.total === undefined ? elements.length >= PAGE : start + PAGE < paging.total
}
