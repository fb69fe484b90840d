import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { optionalText, storedCredentials } from '../kit/credentials.ts'
import { tokenFields, withToken, type TokenRenewal } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials, type PlatformAccount, type PlatformIo } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { FACEBOOK_HOST, personWith } from '../meta/facebook-login.ts'
import { pageToken } from '../meta/person.ts'
import { api, is } from './api.ts'

export const credentialsSchema = z.object({
  accessToken: tokenFields.accessToken.describe(
    'access token of the Facebook Page, obtained with a long-lived user token',
  ),
  pageId: optionalText.describe('id of the Page; selects one if a browser login gives access to several'),
  userToken: optionalText.describe(
    'long-lived token of the person who manages the Page; used to obtain a new Page token when one becomes invalid',
  ),
  clientSecret: optionalText.describe(
    'secret of the Meta app; only for an app that requires proof of it (appsecret_proof)',
  ),
})
type FacebookCredentials = z.infer<typeof credentialsSchema>

/**
 * Runs work with the Page's token.
 *
 * @throws PlatformError
 */
export function withSession<T>(
  account: PlatformAccount,
  io: PlatformIo,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return withToken(io, renewalFor(account), (_token, credentials) =>
    work(sessionOf(kept(credentials), account.baseUrl)),
  )
}

export function sessionOf(
  { accessToken: token, clientSecret: appSecret }: Pick<FacebookCredentials, 'accessToken' | 'clientSecret'>,
  baseUrl: string | undefined,
): Session {
  return { host: baseUrl ?? FACEBOOK_HOST, token, appSecret }
}

/** A Page token neither expires nor can be renewed: a dead one is replaced through the user token, while that is valid. */
function renewalFor({ externalId, baseUrl }: PlatformAccount): TokenRenewal {
  return {
    aheadMs: 0,
    isExpired: (error) => is(error, 'token', 'not a Page token', 'confirmation', 'role'),
    refresh: async (stale, io) => {
      const credentials = kept(stale)
      const { userToken } = credentials
      if (userToken === undefined) {
        const lacking = 'and there is no userToken to obtain a new one with'
        throw new PlatformError(
          'needs-reauth',
          `Facebook no longer accepts the Page's token, ${lacking}. Connect the account again.`,
        )
      }
      const person = personWith({ ...credentials, userToken }, baseUrl)
      return { ...stale, accessToken: await renewed(externalId, person, io) }
    },
  }
}

async function renewed(pageId: string, person: Session, io: RestIo): Promise<string> {
  try {
    return await pageToken(api, pageId, person, io)
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind === 'retryable') throw error
    const message = `Connect the account again: no Page token could be obtained with the userToken. ${error.message}`
    throw new PlatformError('needs-reauth', message, { cause: error })
  }
}

function kept(credentials: Credentials): FacebookCredentials {
  return storedCredentials(credentialsSchema, credentials, 'facebook')
}
