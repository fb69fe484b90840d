import type { Secret } from '../../../infra/postgres/vault.ts'
import type { Message } from '../message.ts'
import type { ChannelRequest } from './send.ts'
import { fitted } from './fitted.ts'

/** Discord's limit, in characters (Execute Webhook, `content`). */
const LONGEST = 2_000
/** No preview of each link (message flag SUPPRESS_EMBEDS). */
const SUPPRESS_EMBEDS = 1 << 2

/** A webhook of a Discord channel. */
export function discord({ url = '' }: Secret, { title, lines, footer }: Message): ChannelRequest {
  const escaped = (text: string) => text.replaceAll(/[\\*_~`|>#[\]()-]/g, (character) => `\\${character}`)
  const items = lines.map((line) => `- ${escaped(line.text)} [Open](<${line.url}>)`)
  const content = fitted(`**${escaped(title)}**`, items, footer, LONGEST)
  const waiting = new URL(url)
  // The answer then says whether the message exists.
  waiting.searchParams.set('wait', 'true')
  // Nobody is mentioned, whatever the text of an error contains.
  return { url: waiting.href, body: { content, flags: SUPPRESS_EMBEDS, allowed_mentions: { parse: [] } } }
}
