import * as z from 'zod'
import { PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import { PlatformError, type Credentials, type CredentialStore } from './platform.ts'

export const optionalText = z.string().min(1).optional()

/** @throws PlatformError `permanent`, naming each invalid field */
export function checkedCredentials<T>(schema: z.ZodType<T>, given: Credentials, platform: PlatformKey): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new PlatformError('permanent', `The ${PLATFORM_NAMES[platform]} credentials are invalid. ${wrong.join('; ')}.`)
}

/** @throws PlatformError `needs-reauth` if they are not what `connect` stores */
export function storedCredentials<T>(schema: z.ZodType<T>, stored: Credentials, platform: PlatformKey): T {
  const parsed = schema.safeParse(stored)
  if (parsed.success) return parsed.data
  const which = `The stored ${PLATFORM_NAMES[platform]} credentials`
  throw new PlatformError('needs-reauth', `${which} are incomplete. Connect the account again.`)
}

/** Only the app that a refresh token was issued to can use it. @throws PlatformError */
export function mustNameApp({ refreshToken, clientId, clientSecret }: Credentials): void {
  if (!refreshToken || (clientId && clientSecret)) return
  throw new PlatformError('permanent', 'clientId and clientSecret are required with refreshToken.')
}

/** Holds credentials that are not in the vault yet, and that may be renewed while the account is connected. */
export function unsavedCredentials(given: Credentials): CredentialStore {
  let current = given
  return {
    read: async () => current,
    renew: async (stale, renew) => (current = await renew(stale)),
  }
}

/** Holds credentials that were just granted and need no renewal. */
export function freshCredentials(granted: Credentials): CredentialStore {
  return { read: async () => granted, renew: async () => granted }
}
