import type { Secret } from '../../../infra/postgres/vault.ts'
import type { Message } from '../message.ts'
import type { ChannelRequest } from './send.ts'
import { fitted } from './fitted.ts'

/** Telegram's limit, in characters after entities are parsed (Bot API, `sendMessage`). */
const LONGEST = 4_096

/** A chat that a bot writes to. The text is sent as it is, without a parse mode. */
export function telegram({ url = '', botToken = '', chat = '' }: Secret, message: Message): ChannelRequest {
  const items = message.lines.map(({ text, url }) => `• ${text}\n${url}`)
  return {
    url: `${url.replace(/\/$/, '')}/bot${botToken}/sendMessage`,
    body: {
      chat_id: chat,
      text: fitted(message.title, items, message.footer, LONGEST),
      link_preview_options: { is_disabled: true },
    },
  }
}
