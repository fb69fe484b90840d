import * as z from 'zod'
import { unsavedCredentials } from '../kit/credentials.ts'
import { PlatformError, type Platform } from '../kit/platform.ts'
import { quoted } from '../kit/rest.ts'
import { pinterestApi, type Api } from './api.ts'
import { boardsOf, type Board } from './boards.ts'
import { givenCredentials } from './credentials.ts'
import { plainId } from '../kit/plain-id.ts'

const MOST_NAMED = 10

const userAccount = z.object({ id: plainId, username: z.string().min(1) })

/** Looks up the token's account and checks that the board exists. Renews an expired token on the way. */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const { boardId } = givenCredentials(given)
  const credentials = unsavedCredentials(given)
  const api = pinterestApi(baseUrl, { ...io, credentials })
  const { id, username } = await api({ method: 'GET', path: '/user_account' }, userAccount)
  await mustHaveBoard(boardId, api)
  return { externalId: id, label: username, credentials: await credentials.read() }
}

async function mustHaveBoard(boardId: string, api: Api): Promise<void> {
  const seen: Board[] = []
  for await (const boards of boardsOf(api)) {
    if (boards.some(({ id }) => id === boardId)) return
    seen.push(...boards)
  }
  const named = seen.slice(0, MOST_NAMED).map(({ id, name }) => `${id} (${quoted(name)})`)
  const has = named.length === 0 ? 'none' : `${named.join(', ')}${seen.length > MOST_NAMED ? ', ...' : ''}`
  throw new PlatformError(
    'permanent',
    `boardId: the token has no access to board ${boardId} of the account. Boards it can access: ${has}.`,
  )
}
