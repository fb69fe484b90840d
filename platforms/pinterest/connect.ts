import { z } from 'zod'
import { PlatformError, type Credentials, type CredentialStore, type Platform } from '../platform.ts'
import { quoted } from '../rest.ts'
import { pinterestApi, type Api } from './api.ts'
import { givenCredentials } from './credentials.ts'

const PAGE_SIZE = 250
/** More boards than an account may have, and an end to a list that has none. */
const MOST_PAGES = 40
const MOST_NAMED = 10

const userAccount = z.object({ id: z.string().min(1), username: z.string().min(1) })
const board = z.object({ id: z.string(), name: z.string() })
const boardPage = z.object({ items: z.array(board), bookmark: z.string().nullish() })
type Board = z.infer<typeof board>

/** Asks whose token it is, and whether the board is there. A token that has ended is renewed on the way. */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const { boardId } = givenCredentials(given)
  let credentials: Credentials = given
  const store: CredentialStore = {
    read: async () => credentials,
    renew: async (stale, renew) => (credentials = await renew(stale)),
  }
  const api = pinterestApi(baseUrl, { ...io, credentials: store })
  const { id, username } = await api({ method: 'GET', path: '/user_account' }, userAccount)
  await mustHaveBoard(boardId, api)
  return { externalId: id, label: username, credentials }
}

async function mustHaveBoard(boardId: string, api: Api): Promise<void> {
  const seen: Board[] = []
  let bookmark = ''
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ page_size: String(PAGE_SIZE), ...(bookmark && { bookmark }) })
    const answer = await api({ method: 'GET', path: `/boards?${query}` }, boardPage)
    if (answer.items.some(({ id }) => id === boardId)) return
    seen.push(...answer.items)
    if (!answer.bookmark) break
    bookmark = answer.bookmark
  }
  const named = seen.slice(0, MOST_NAMED).map(({ id, name }) => `${id} (${quoted(name)})`)
  const has = named.length === 0 ? 'none' : `${named.join(', ')}${seen.length > MOST_NAMED ? ', ...' : ''}`
  throw new PlatformError(
    'permanent',
    `boardId: the token sees no board ${boardId} of the account. The boards it sees: ${has}.`,
  )
}
