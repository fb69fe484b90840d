import { isoTime } from './clock.ts'
import { invitationFormat } from './key-format.ts'

const DAY_MS = 86_400_000

/**
 * A new link with which one person joins, and what its event says about it. The secret is in the fragment, which browsers do
 * not send.
 *
 * @param url where browsers reach the service, without a trailing slash
 * @param id of the invitation
 * @param days how long the link works
 * @param now ms since the epoch
 */
export function newInvitationLink(url: string, id: string, days: number, now: number) {
  const { raw, secretHash } = invitationFormat.generate(id)
  return { link: `${url}/join#${raw}`, secretHash, expiresAt: isoTime(now + days * DAY_MS) }
}
