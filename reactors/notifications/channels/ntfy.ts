import type { Secret } from '../../../infra/postgres/vault.ts'
import type { Message } from '../message.ts'
import type { ChannelRequest } from './send.ts'
import { fitted } from './fitted.ts'

/** ntfy makes a longer message an attachment, in bytes; no character here needs more than three. */
const LONGEST = Math.floor(4_096 / 3)

/** A topic of an ntfy server, published as JSON, which takes titles in any language. */
export function ntfy({ url = '', token }: Secret, { title, lines, footer }: Message): ChannelRequest {
  const { origin, pathname } = new URL(url)
  const message = fitted(
    '',
    lines.map(({ text }) => text),
    footer,
    LONGEST,
  ).trim()
  const [first] = lines
  return {
    url: origin,
    body: { topic: pathname.slice(1), title, message, ...(first && { click: first.url }) },
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  }
}
