import { createHash } from 'node:crypto'
import { trimEnd } from '../../infra/runtime/trim-end.ts'
import type { FeedItem } from './reading/feed.ts'

/** An item as the feed's ledger knows it. */
export interface SeenItem extends FeedItem {
  /** Of its stream: the feed's id, and a hash of the item's identity. */
  readonly id: string
  readonly fingerprint: string
}

/** Parameters of links that say where a reader came from, not where the link leads. */
const TRACKING = /^(utm_\w+|fbclid|gclid|msclkid|mc_cid|mc_eid|igshid|cmpid|source|ref)$/i

/**
 * An item is known by its guid or id, else its link, else what it says (decisions, "RSS and recycling"). A feed that calls
 * all its items anew is seen through by their fingerprints: the same title, leading to the same place.
 */
export function seenItem(feedId: string, item: FeedItem): SeenItem {
  const title = item.title.toLowerCase().replaceAll(/\s+/g, ' ').trim()
  // What has no title is like nothing else.
  const fingerprint = hash(title === '' ? item.identity : `${placeOf(item.link)} ${title}`)
  return { ...item, id: `${feedId}.${hash(item.identity)}`, fingerprint }
}

/** Of a link what stays when a site moves to https, drops its www, or counts its readers. */
function placeOf(link: string): string {
  if (!URL.canParse(link)) return link
  const { hostname, pathname, searchParams, hash: anchor } = new URL(link)
  const query = [...searchParams].filter(([name]) => !TRACKING.test(name)).map((pair) => pair.join('='))
  return [hostname.replace(/^www\./, ''), trimEnd(pathname, /^\/$/), ...query.sort(), anchor].join('|')
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
