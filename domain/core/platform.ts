/** The ten platform keys of api-spec §1, in the order they are documented. */
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
] as const

export type PlatformKey = (typeof PLATFORM_KEYS)[number]

/** As each calls itself. */
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
}

export function isPlatformKey(value: string): value is PlatformKey {
  return (PLATFORM_KEYS as readonly string[]).includes(value)
}

/** Those whose comments or mentions are read and answered (api-spec §4, Comments and replies). */
export const CONVERSATION_PLATFORMS = [
  'instagram',
  'facebook',
  'threads',
  'youtube',
  'linkedin',
  'bluesky',
  'x',
] as const
/** Of those, the ones that tell of mentions alone: they all go into the review inbox. */
export const MENTION_PLATFORMS: readonly PlatformKey[] = ['x']

export type ConversationPlatform = (typeof CONVERSATION_PLATFORMS)[number]

export function hasConversations(platform: PlatformKey): platform is ConversationPlatform {
  return (CONVERSATION_PLATFORMS as readonly PlatformKey[]).includes(platform)
}

export const MEDIA_TYPES = ['video', 'image'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]
