import { t } from '@lingui/core/macro'
import type { Channel } from '../../../client/types.ts'

export type Topic = Channel['topics'][number]
/** Those that can be added by a form. */
export type ChannelKind = Exclude<Channel['kind'], 'push'>

export const TOPICS: Readonly<Record<Topic, string>> = {
  'post.failed': t`A post failed`,
  'post.partially_failed': t`A post failed on some accounts`,
  'account.needs_reauth': t`An account must be connected again`,
  'account.expiring': t`The access to an account ends within 7 days`,
  'reply.to_review': t`A reply waits for review`,
  'approval.requested': t`A post awaits approval`,
  'approval.decided': t`A post was approved or rejected, or is to be changed`,
  'post.held': t`A post was not approved in time`,
  'feed.failing': t`A feed cannot be read`,
  'webhook.failing': t`A webhook does not receive events`,
  'budget.reached': t`A budget is nearly or completely spent`,
}
export const ALL_TOPICS = Object.keys(TOPICS) as readonly Topic[]

export const KINDS: Readonly<Record<ChannelKind, string>> = {
  email: t`E-mail`,
  slack: t`Slack`,
  discord: t`Discord`,
  telegram: t`Telegram`,
  ntfy: t`ntfy`,
}
