import * as z from 'zod'
import { checkedCredentials, optionalText } from '../kit/credentials.ts'
import { hasStatus } from '../kit/errors.ts'
import { plainId } from '../kit/plain-id.ts'
import { PlatformError, type Platform } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { callWith } from './api.ts'
import { limitsField } from './limits.ts'
import { externalIdOf, hostOf } from './server.ts'

export const credentials = z.object({
  accessToken: z
    .string()
    .min(1)
    .describe('access token of the account, from an app under Preferences > Development on its server'),
  clientId: optionalText.describe(
    'client key of the app; required to revoke the token when the account is disconnected',
  ),
  clientSecret: optionalText.describe('client secret of the app'),
})

const account = z.object({ id: plainId, username: z.string().min(1), url: z.string().catch('') })

/** Looks up the token's account, and what its server takes. */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const { accessToken } = checkedCredentials(credentials, given, 'mastodon')
  const { id, username, url } = await accountOf(accessToken, baseUrl, io)
  const { host } = new URL(URL.canParse(url) ? url : hostOf(baseUrl))
  return {
    externalId: externalIdOf(id, host),
    label: `@${username}@${host}`,
    credentials: { ...given, ...(await limitsField(baseUrl, io)) },
  }
}

async function accountOf(token: string, baseUrl: string | undefined, io: RestIo): Promise<z.infer<typeof account>> {
  try {
    return await callWith(token, baseUrl, { method: 'GET', path: '/api/v1/accounts/verify_credentials' }, account, io)
  } catch (error) {
    // As some servers word it.
    if (!hasStatus(error, 422)) throw error
    throw new PlatformError('needs-reauth', 'The Mastodon server does not accept the access token.', { cause: error })
  }
}
