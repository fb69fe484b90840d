import { createHash } from 'node:crypto'
import webPush from 'web-push'
import type { Secret } from '../../../infra/postgres/vault.ts'
import type { Vapid } from '../../../infra/runtime/vapid.ts'
import { asText } from '../../../domain/core/text.ts'
import type { Message } from '../message.ts'
import type { ChannelRequest } from './send.ts'

/** How long (s) the push service keeps it for a browser that is not running: over a weekend. */
const KEPT_S = 3 * 86_400
/**
 * Push services take 4,096 bytes, of which encryption needs 103 (RFC 8291, section 4). In JSON, no UTF-16 unit has more than six
 * bytes; systems show fewer characters anyway.
 */
const LONGEST_TITLE = 120
const LONGEST_TEXT = 300
const LONGEST_LINK = 1_000

/** A subscription of a browser. What it is sent is encrypted for it alone, and shown by `packages/dashboard/push-worker.ts`. */
export function push(
  { endpoint = '', p256dh = '', auth = '' }: Secret,
  message: Message,
  vapid: Vapid,
): ChannelRequest {
  const { title, about, lines, footer, url } = message
  const shown = {
    title: asText(title, LONGEST_TITLE),
    text: asText([...lines.map(({ text }) => text), ...(footer === '' ? [] : [footer])].join('\n'), LONGEST_TEXT),
    link: pathOf(lines[0]?.url ?? url),
    tag: about,
  }
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(shown),
    {
      vapidDetails: vapid,
      TTL: KEPT_S,
      urgency: 'normal',
      topic: topicOf(about),
    },
  )
  return {
    url: endpoint,
    body: new Uint8Array(body ?? []),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
  }
}

/** The page opens it on its own origin, which may be another name of the service. */
function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url)
  const path = pathname + search + hash
  return path.length > LONGEST_LINK ? '/' : path
}

/** What is not delivered yet is replaced by a newer one about the same: at most 32 characters of base64url (RFC 8030, section 5.4). */
function topicOf(about: string): string {
  return createHash('sha256').update(about).digest('base64url').slice(0, 32)
}
