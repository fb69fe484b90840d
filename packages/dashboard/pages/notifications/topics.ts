import type { Channel } from '../../client/types.ts'

export type Topic = Channel['topics'][number]
/** Those that can be added by a form. */
export type ChannelKind = Exclude<Channel['kind'], 'push'>

export const TOPICS: Readonly<Record<Topic, string>> = {
  'post.failed': 'A post failed',
  'post.partially_failed': 'A post failed on some accounts',
  'account.needs_reauth': 'An account must be connected again',
  'account.expiring': 'The access to an account ends within 7 days',
  'reply.to_review': 'A reply waits for review',
  'approval.requested': 'A post awaits approval',
  'approval.decided': 'A post was approved or rejected, or is to be changed',
  'post.held': 'A post was not approved in time',
  'feed.failing': 'A feed cannot be read',
  'webhook.failing': 'A webhook does not receive events',
  'budget.reached': 'A budget is nearly or completely spent',
}
export const ALL_TOPICS = Object.keys(TOPICS) as readonly Topic[]

export const KINDS: Readonly<Record<ChannelKind, string>> = {
  email: 'E-mail',
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
  ntfy: 'ntfy',
}
