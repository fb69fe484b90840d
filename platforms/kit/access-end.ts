import type { Credentials, Platform } from './platform.ts'

/**
 * When the access to an account ends unless somebody connects it again, ISO 8601 UTC; undefined where Fanfare renews it, or where
 * no end is known.
 */
export function accessEnd(
  { renewsAccessToken }: Pick<Platform, 'renewsAccessToken'>,
  { expiresAt, refreshToken, refreshExpiresAt }: Credentials,
): string | undefined {
  return refreshExpiresAt ?? (refreshToken === undefined && !renewsAccessToken ? expiresAt : undefined)
}
