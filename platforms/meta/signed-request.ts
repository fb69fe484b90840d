import * as z from 'zod'
import { Refusal } from '../../domain/core/errors.ts'
import { isSignedWith, notSigned, type Removals } from '../kit/removal.ts'

/** Both halves in the alphabet of base64url, with or without padding. */
const SIGNED_REQUEST = /^([\w-]+=*)\.([\w-]+=*)$/

const payload = z.object({
  user_id: z.union([z.string().regex(/^[\w.-]{1,128}$/), z.int().positive().transform(String)]),
  // Not what it is checked with: that is always HMAC-SHA256.
  algorithm: z
    .string()
    .regex(/^hmac-sha256$/i)
    .optional(),
  /** Seconds since the epoch. */
  issued_at: z.number().positive().max(1e11).optional(),
})

/**
 * Meta's callbacks "Deauthorize" and "Data Deletion Request": a form whose field `signed_request` is
 * `<signature>.<payload>`, both base64url, signed over the payload as encoded. `user_id` is the app-scoped ID of the person.
 * https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback
 */
export const removals: Removals = {
  kinds: ['deauthorize', 'delete'],
  read: ({ body }, { clientSecret }) => {
    const [given, ...others] = new URLSearchParams(body.toString()).getAll('signed_request')
    const [, signature = '', encoded = ''] = SIGNED_REQUEST.exec(given ?? '') ?? []
    if (encoded === '' || others.length > 0) {
      throw new Refusal(
        'invalid_request',
        'signed_request must be one form field: <signature>.<payload>, in base64url.',
      )
    }
    if (!isSignedWith(clientSecret, encoded, Buffer.from(signature, 'base64url'))) throw notSigned('signed_request')
    const parsed = payload.safeParse(jsonIn(encoded))
    if (!parsed.success) throw new Refusal('invalid_request', 'signed_request has no user_id, or cannot be read.')
    const { user_id: ownerId, issued_at: issuedAt } = parsed.data
    return { ownerId, at: issuedAt === undefined ? undefined : issuedAt * 1_000 }
  },
}

function jsonIn(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString())
  } catch {
    return undefined
  }
}
