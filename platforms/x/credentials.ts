import { z } from 'zod'
import { tokenFields, withToken } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials, type CredentialStore, type PlatformIo } from '../kit/platform.ts'
import { callWith, idSchema } from './call.ts'
import { MOST_CHARS, USUAL } from './rules.ts'
import { renewal } from './token.ts'

export const credentials = z.object({
  ...tokenFields,
  clientId: z.string().min(1).optional().describe('OAuth 2.0 client id of the app; required to renew the access'),
  clientSecret: z.string().min(1).optional().describe('OAuth 2.0 client secret, if the app has one'),
  maxChars: z
    .string()
    .regex(/^\d{3,5}$/)
    .refine(
      (value) => Number(value) >= USUAL.maxChars && Number(value) <= MOST_CHARS,
      `${USUAL.maxChars}-${MOST_CHARS}`,
    )
    .optional()
    .describe(`maximum length of a post: ${USUAL.maxChars}, or up to ${MOST_CHARS} with X Premium`),
  tier: z.enum(['self-serve', 'enterprise']).optional().describe('plan of the app; absent: self-serve'),
})

const me = z.object({ data: z.object({ id: idSchema, username: z.string().min(1) }) })

/** Looks up the token's account. Renews an expired token and then returns the new ones. */
export async function connect(
  given: Credentials,
  baseUrl: string | undefined,
  io: Omit<PlatformIo, 'credentials'>,
): Promise<{ externalId: string; label: string; credentials: Credentials }> {
  const checked = credentials.safeParse(given)
  if (!checked.success) {
    const wrong = checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new PlatformError('permanent', `The X credentials are invalid. ${wrong.join('; ')}.`)
  }
  let current = given
  const store: CredentialStore = {
    read: async () => current,
    renew: async (stale, renew) => (current = await renew(stale)),
  }
  const { data } = await withToken({ ...io, credentials: store }, renewal(baseUrl), (token) =>
    callWith(token, baseUrl, { method: 'GET', path: '/2/users/me' }, me, io),
  )
  const { id, username } = data
  return { externalId: id, label: `@${username}`, credentials: { ...current, username } }
}
