import type { Mail } from '../../../infra/mail/mailer.ts'
import type { Secret } from '../../../infra/postgres/vault.ts'
import type { Message } from '../message.ts'

export function mailOf({ address = '' }: Secret, message: Message): Mail {
  const { id, title, lines, footer, url, unsubscribeUrl } = message
  const items = lines.map((line) => `${line.text}\n${line.url}`)
  const end =
    unsubscribeUrl === undefined ? [] : [`--\nYou receive this because of ${url}\nUnsubscribe: ${unsubscribeUrl}`]
  return {
    messageId: `<${id}@${new URL(url).hostname}>`,
    to: address,
    subject: title,
    text: [...items, ...(footer === '' ? [] : [footer]), ...end].join('\n\n'),
    unsubscribeUrl,
  }
}
