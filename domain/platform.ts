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

export function isPlatformKey(value: string): value is PlatformKey {
  return (PLATFORM_KEYS as readonly string[]).includes(value)
}

export const MEDIA_TYPES = ['video', 'image'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]
