import { z } from 'zod'
import type { PlatformIo } from '../platform.ts'
import { bodyOf } from '../rest.ts'
import { callAs, type Call } from './api.ts'

const page = z.object({ elements: z.array(z.unknown()) })

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
