import { withToken } from '../kit/oauth-token.ts'
import type { PlatformIo } from '../kit/platform.ts'
import { oauth } from './oauth.ts'

/**
 * Runs work with the account's token. Without a refresh token it is used until LinkedIn refuses it, which is `needs-reauth`.
 *
 * @throws PlatformError
 */
export async function withAccess<T>(
  baseUrl: string | undefined,
  io: PlatformIo,
  work: (token: string) => Promise<T>,
): Promise<T> {
  const { accessToken, refreshToken } = await io.credentials.read()
  if (accessToken !== undefined && refreshToken === undefined) return work(accessToken)
  return withToken(io, oauth.renewalAt(baseUrl), work)
}
