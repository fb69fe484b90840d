import { isoTime } from './clock.ts'
import { reviewLinkFormat } from './key-format.ts'

const DAY_MS = 86_400_000

/**
 * A new link to a post, with its event's data. The secret is in the fragment, which browsers do not send.
 *
 * @param url where browsers reach the service, without a trailing slash
 * @param now ms since the epoch
 */
export function newReviewLink(
  url: string,
  postId: string,
  {
    days,
    ...link
  }: { readonly linkId: string; readonly label: string; readonly mayDecide: boolean; readonly days: number },
  now: number,
) {
  const { raw, secretHash } = reviewLinkFormat.generate(postId)
  return { link: `${url}/review#${raw}`, data: { ...link, secretHash, expiresAt: isoTime(now + days * DAY_MS) } }
}
