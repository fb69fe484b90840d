import type { Scope } from '../core/scope.ts'
import type { Reviewer } from '../post/approval.ts'

/**
 * What a workspace's activity is about, in the words of its users, and the scope that shows it. Users and keys cannot be read
 * with any scope of their own, so their activity is for those who may see what was erased: owners and managers.
 */
export const ACTIVITY_SCOPES = {
  posts: 'posts:read',
  media: 'posts:read',
  settings: 'posts:read',
  accounts: 'accounts:read',
  comments: 'comments:read',
  replies: 'comments:read',
  feeds: 'rss:read',
  recycling: 'recycling:read',
  videos: 'videos:read',
  credits: 'credits:read',
  analytics: 'analytics:read',
  webhooks: 'webhooks:read',
  notifications: 'webhooks:read',
  team: 'erasures:read',
  keys: 'erasures:read',
  privacy: 'erasures:read',
} as const satisfies Readonly<Record<string, Scope>>

export type ActivityKind = keyof typeof ACTIVITY_SCOPES

export const ACTIVITY_KINDS = Object.keys(ACTIVITY_SCOPES) as readonly ActivityKind[]

const KINDS: Readonly<Record<string, ActivityKind>> = {
  ...{ post: 'posts', draft: 'posts', media: 'media', workspace: 'settings' },
  ...{ account: 'accounts', removal: 'accounts', comment: 'comments', reply: 'replies' },
  ...{ feed: 'feeds', feed_item: 'feeds', rule: 'recycling', video: 'videos', credits: 'credits' },
  ...{ metrics: 'analytics', competitor: 'analytics', webhook: 'webhooks', delivery: 'webhooks' },
  ...{ channel: 'notifications', notification: 'notifications' },
  ...{ user: 'team', member: 'team', invitation: 'team', api_key: 'keys', erasure: 'privacy' },
}

/** What the events of a category of streams are about; undefined for those that belong to no workspace. */
export function activityKindOf(category: string): ActivityKind | undefined {
  return KINDS[category]
}

/** Whose acts are listed: a person in the dashboard, a program with a key, an agent with a key, a guest with a link, a rule. */
export const ACTOR_KINDS = ['user', 'key', 'agent', 'cli', 'guest', 'rule'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]
/** Those who act themselves. */
export const PEOPLE = ['user', 'key', 'agent', 'cli', 'guest'] as const satisfies readonly ActorKind[]

/** The parts of the service that do what somebody has told them to do from then on. */
const RULES: Readonly<Record<string, string>> = {
  feed: 'an RSS feed',
  recycle: 'a recycling rule',
  'automate-replies': 'the automation of comments',
  schedule: 'the schedule',
  retain: 'the retention of personal data',
  'single-sign-on': 'single sign-on',
}

export const RULE_IDS: readonly string[] = Object.keys(RULES)

const SYSTEM: Readonly<Record<string, string>> = {
  'capture-metrics': 'analytics',
  'channel-link': 'a link in a message',
  'close-books': 'bookkeeping',
  competitor: 'analytics',
  deliver: 'webhooks',
  demo: 'the demo',
  'draft-reply': 'the AI',
  erase: 'an erasure',
  expiry: 'the check of access',
  'fan-out': 'webhooks',
  'fetch-comments': 'reading comments',
  forecast: 'the forecast',
  foreseen: 'publishing',
  media: 'the media library',
  'media-room': 'the media library',
  notify: 'notifications',
  oauth: 'OAuth',
  pin: 'the media library',
  publish: 'publishing',
  refund: 'refunds',
  remove: 'a removal',
  'render-video': 'video rendering',
  restored: 'the restore of a backup',
  'send-reply': 'sending replies',
  upload: 'an upload',
}

/** `system` is the service, which does what others have told it to do: the history of a resource has that. */
export function actorKindOf(actor: Reviewer): ActorKind | 'system' {
  if (actor.kind === 'guest') return 'guest'
  const { kind, id, via } = actor
  switch (kind) {
    case 'api-key':
      return via === 'mcp' ? 'agent' : 'key'
    case 'reactor':
      return Object.hasOwn(RULES, id) ? 'rule' : 'system'
    case 'user':
    case 'cli':
      return kind
  }
}

/** How a part of the service is named to people. */
export function serviceName(id: string): string {
  return RULES[id] ?? SYSTEM[id] ?? id
}
