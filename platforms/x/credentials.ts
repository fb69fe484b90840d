import * as z from 'zod'
import { checkedCredentials, optionalText, unsavedCredentials } from '../kit/credentials.ts'
import { tokenFields, withToken } from '../kit/oauth-token.ts'
import type { Platform } from '../kit/platform.ts'
import { callWith, idSchema } from './call.ts'
import { renewalAt } from './oauth.ts'
import { MOST_CHARS, USUAL } from './rules.ts'

export const credentials = z.object({
  ...tokenFields,
  clientId: optionalText.describe('OAuth 2.0 client id of the app; required to renew the access'),
  clientSecret: optionalText.describe('OAuth 2.0 client secret, if the app has one'),
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
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  checkedCredentials(credentials, given, 'x')
  const store = unsavedCredentials(given)
  const { data } = await withToken({ ...io, credentials: store }, renewalAt(baseUrl), (token) =>
    callWith(token, baseUrl, { method: 'GET', path: '/2/users/me' }, me, io),
  )
  const { id, username } = data
  return { externalId: id, label: `@${username}`, credentials: { ...(await store.read()), username } }
}
