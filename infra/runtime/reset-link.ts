import { isoTime } from './clock.ts'
import { resetLinkFormat } from './key-format.ts'

const VALID_MS = 24 * 3_600_000

/**
 * A new link for a user, with its event's data. The secret is in the fragment, which browsers do not send.
 *
 * @param url where browsers reach the service, without a trailing slash
 * @param now ms since the epoch
 */
export function newResetLink(url: string, userId: string, linkId: string, now: number) {
  const { raw, secretHash } = resetLinkFormat.generate(userId)
  return { link: `${url}/reset#${raw}`, data: { linkId, secretHash, expiresAt: isoTime(now + VALID_MS) } }
}
