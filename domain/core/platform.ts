/** The ten platform keys of api-spec §1, in documented order, and those that came later. */
export const PLATFORM_KEYS = [
  'instagram',
  'youtube',
  'x',
  'facebook',
  'threads',
  'tiktok',
  'linkedin',
  'bluesky',
  'pinterest',
  'googlebusiness',
  'mastodon',
] as const

export type PlatformKey = (typeof PLATFORM_KEYS)[number]

/** Display names. */
export const PLATFORM_NAMES: Readonly<Record<PlatformKey, string>> = {
  instagram: 'Instagram',
  youtube: 'YouTube',
  x: 'X',
  facebook: 'Facebook',
  threads: 'Threads',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
  bluesky: 'Bluesky',
  pinterest: 'Pinterest',
  googlebusiness: 'Google Business',
  mastodon: 'Mastodon',
}

export function isPlatformKey(value: string): value is PlatformKey {
  return (PLATFORM_KEYS as readonly string[]).includes(value)
}

/** The platforms whose comments or mentions are read and replied to (api-spec §4, Comments and replies). */
export const CONVERSATION_PLATFORMS = [
  'instagram',
  'facebook',
  'threads',
  'youtube',
  'linkedin',
  'bluesky',
  'x',
  'mastodon',
] as const
/** Conversation platforms with mentions only: all mentions go to the review inbox. */
export const MENTION_PLATFORMS: readonly PlatformKey[] = ['x']

/** The platforms that charge for the use of their APIs. */
export const BILLING_PLATFORMS = ['x'] as const
export type BillingPlatform = (typeof BILLING_PLATFORMS)[number]

export function isBilling(platform: string): platform is BillingPlatform {
  return (BILLING_PLATFORMS as readonly string[]).includes(platform)
}

export type ConversationPlatform = (typeof CONVERSATION_PLATFORMS)[number]

export function hasConversations(platform: PlatformKey): platform is ConversationPlatform {
  return (CONVERSATION_PLATFORMS as readonly PlatformKey[]).includes(platform)
}

export const MEDIA_TYPES = ['video', 'image', 'document'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** What a post consists of besides its words; `text`: nothing. */
export const POST_TYPES = [...MEDIA_TYPES, 'text'] as const
export type PostType = (typeof POST_TYPES)[number]
