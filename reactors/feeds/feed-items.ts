import { createHash } from 'node:crypto'
import { trimEnd } from '../../infra/runtime/trim-end.ts'
import type { FeedItem } from './reading/feed.ts'

/** An item as the feed's ledger knows it. */
export interface SeenItem extends FeedItem {
  /** Its stream's id: the feed's id and a hash of the item's identity. */
  readonly id: string
  readonly fingerprint: string
}

/** Link parameters that track where a reader came from, and do not affect where the link leads. */
const TRACKING = /^(utm_\w+|fbclid|gclid|msclkid|mc_cid|mc_eid|igshid|cmpid|source|ref)$/i

/**
 * Identifies an item by its guid or id, else its link, else its content (decisions, "RSS and recycling"). The fingerprint, the
 * same title leading to the same place, catches feeds that assign new ids to old items.
 */
export function seenItem(feedId: string, item: FeedItem): SeenItem {
  const title = item.title.toLowerCase().replaceAll(/\s+/g, ' ').trim()
  // An item without a title matches no other.
  const fingerprint = hash(title === '' ? item.identity : `${placeOf(item.link)} ${title}`)
  return { ...item, id: `${feedId}.${hash(item.identity)}`, fingerprint }
}

/** The part of a link that stays the same when a site moves to https, drops its www, or tracks its readers. */
function placeOf(link: string): string {
  if (!URL.canParse(link)) return link
  const { hostname, pathname, searchParams, hash: anchor } = new URL(link)
  const query = [...searchParams].filter(([name]) => !TRACKING.test(name)).map((pair) => pair.join('='))
  return [hostname.replace(/^www\./, ''), trimEnd(pathname, /^\/$/), ...query.sort(), anchor].join('|')
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
