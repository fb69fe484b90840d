import type { ChannelEvent, ChannelSettings } from '../../notification/channel.ts'
import { listed, quoted, sentence } from './wording.ts'

export function describeChannel(event: ChannelEvent): string {
  switch (event.type) {
    case 'ChannelAdded': {
      const { kind, address, needsConfirmation } = event.data
      const added = `Notifications of ${settingsOf(event.data)} are sent by ${kind} to ${quoted(address) || 'their user'}`
      return sentence(needsConfirmation ? `${added}, once the address is confirmed` : added)
    }
    case 'ChannelConfirmed':
      return 'The address was confirmed.'
    case 'ChannelChanged':
      return sentence(`Notifications are sent of ${settingsOf(event.data)}`)
    case 'ChannelRemoved':
      return REMOVED[event.data.reason]
  }
}

const REMOVED: Readonly<Record<Extract<ChannelEvent, { type: 'ChannelRemoved' }>['data']['reason'], string>> = {
  requested: 'The notification channel was removed.',
  user_removed: 'The notification channel was removed.',
  unsubscribed: 'Somebody unsubscribed by the link in a message.',
  gone: 'The notification channel was removed: its browser takes no more messages.',
}

function settingsOf({ topics, timezone, quietHours, digestAt }: ChannelSettings): string {
  const quiet = quietHours ? `, but not from ${quietHours.from} to ${quietHours.to} (${timezone})` : ''
  return `${listed(topics)}${digestAt === null ? quiet : `, once a day at ${digestAt} (${timezone})`}`
}
