import type { Secret } from '../../../infra/postgres/vault.ts'
import type { Message } from '../message.ts'
import type { ChannelRequest } from './send.ts'

/** Slack's control characters (docs.slack.dev, "Formatting message text"). */
const CONTROL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string) => text.replaceAll(/[&<>]/g, (character) => CONTROL[character] ?? '')

/** An incoming webhook of Slack; Mattermost and Rocket.Chat take the same. */
export function slack({ url = '' }: Secret, { title, lines, footer }: Message): ChannelRequest {
  const items = lines.map((line) => `• ${escaped(line.text)} <${line.url}|Open>`)
  const text = [`*${escaped(title)}*`, ...items, ...(footer === '' ? [] : [footer])].join('\n')
  return { url, body: { text, unfurl_links: false, unfurl_media: false } }
}
