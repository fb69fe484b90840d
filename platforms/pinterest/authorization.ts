import type { AuthorizationCode, Reached } from '../kit/authorization.ts'
import { freshCredentials } from '../kit/credentials.ts'
import { pinterestApi } from './api.ts'
import { boardsOf } from './boards.ts'
import { oauth } from './oauth.ts'

/** Listed for creating Pins, which also works without it. */
export const optional = { publishing: ['boards:write'] }

/** A login reaches every board of the account; Pins go to one of them. */
export const authorization: AuthorizationCode = {
  ...oauth.authorization,
  reach: async (granted, baseUrl, io) => {
    const reached: Reached[] = []
    for await (const boards of boardsOf(pinterestApi(baseUrl, { ...io, credentials: freshCredentials(granted) }))) {
      // Board names are unique within an account.
      reached.push(...boards.map(({ id, name }) => ({ label: name, credentials: { boardId: id } })))
    }
    return reached
  },
}
