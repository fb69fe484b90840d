import type { QueuedPost } from './post.ts'
import type { ChainPart } from './post-events.ts'

/**
 * The text published on one platform: its override or the shared caption, then a blank line and the hashtags, each with `#` and
 * without duplicates (decisions, "Posts").
 */
export function finalText(
  post: Readonly<Pick<QueuedPost, 'caption' | 'captionOverrides'>> & { readonly hashtags: readonly string[] },
  platform: string,
): string {
  const caption = textOn(platform, post.caption, post.captionOverrides)
  const tags = new Map<string, string>()
  for (const raw of post.hashtags) {
    const tag = raw.trim().replace(/^#+/, '')
    if (tag && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), `#${tag}`)
  }
  return [caption, [...tags.values()].join(' ')].filter((part) => part !== '').join('\n\n')
}

/** The text of a later part of a chain on one platform: its override or the shared one. */
export function partText({ text, textOverrides = {} }: ChainPart, platform: string): string {
  return textOn(platform, text, textOverrides)
}

function textOn(platform: string, shared: string, overrides: Readonly<Record<string, string>>): string {
  return Object.hasOwn(overrides, platform) ? (overrides[platform] ?? '') : shared
}
