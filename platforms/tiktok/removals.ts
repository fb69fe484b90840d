import * as z from 'zod'
import { Refusal } from '../../domain/core/errors.ts'
import { plainId } from '../kit/plain-id.ts'
import { isSignedWith, notSigned, type Removals } from '../kit/removal.ts'

const REMOVED = 'authorization.removed'
const SIGNATURE = /^[0-9a-f]{64}$/i

const event = z.object({
  client_key: z.string(),
  event: z.string(),
  /** Seconds since the epoch. */
  create_time: z.number().positive().max(1e11),
  /** The `open_id`. Absent in events that are not about a user. */
  user_openid: plainId.optional(),
})

/**
 * TikTok's webhook, which has one URL for all events. `TikTok-Signature: t=<seconds>,s=<hex>` signs `<t>.<body>`. The time is not
 * checked: TikTok repeats a delivery for 72 hours, and repeating it is harmless.
 * https://developers.tiktok.com/doc/webhooks-verification and https://developers.tiktok.com/doc/webhooks-events
 */
export const removals: Removals = {
  kinds: ['deauthorize'],
  read: ({ headers, body }, { clientId, clientSecret }) => {
    const { t = '', s = '' } = partsOf(String(headers['tiktok-signature'] ?? ''))
    const signed = Buffer.concat([Buffer.from(`${t}.`), body])
    if (t === '' || !SIGNATURE.test(s) || !isSignedWith(clientSecret, signed, Buffer.from(s, 'hex'))) {
      throw notSigned('The body')
    }
    const parsed = event.safeParse(jsonIn(body))
    if (!parsed.success || parsed.data.client_key !== clientId) {
      throw new Refusal('invalid_request', 'The body is not an event of this app.')
    }
    const { event: type, user_openid: ownerId, create_time: createdAt } = parsed.data
    return type === REMOVED && ownerId !== undefined ? { ownerId, at: createdAt * 1_000 } : undefined
  },
}

function partsOf(header: string): Partial<Record<string, string>> {
  return Object.fromEntries(header.split(',').map((part) => part.trim().split('=', 2)))
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
