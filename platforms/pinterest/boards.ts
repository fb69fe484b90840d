import * as z from 'zod'
import type { PostDefaults } from '../kit/post-defaults.ts'
import { pinterestApi, type Api } from './api.ts'

const PAGE_SIZE = 250
/** Covers more boards than an account may have, and stops endless paging. */
const MOST_PAGES = 40

const board = z.object({ id: z.string(), name: z.string() })
const boardPage = z.object({ items: z.array(board), bookmark: z.string().nullish() })
export type Board = z.infer<typeof board>

/** The account's boards that the token can see, page by page. @throws PlatformError */
export async function* boardsOf(api: Api): AsyncGenerator<readonly Board[]> {
  let bookmark = ''
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ page_size: String(PAGE_SIZE), ...(bookmark && { bookmark }) })
    const answer = await api({ method: 'GET', path: `/boards?${query}` }, boardPage)
    yield answer.items
    if (!answer.bookmark) return
    bookmark = answer.bookmark
  }
}

export const destinations: PostDefaults['destinations'] = async ({ baseUrl }, io) => {
  const found = []
  for await (const boards of boardsOf(pinterestApi(baseUrl, io))) found.push(...boards)
  return found.map(({ id, name }) => ({ label: name, options: { boardId: id } }))
}
