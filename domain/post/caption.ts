import type { QueuedPost } from './post.ts'

/**
 * The text published on one platform: its override or the shared caption, then a blank line and the hashtags, each with `#` and
 * without duplicates (decisions, "Posts").
 */
export function finalText(
  post: Pick<QueuedPost, 'caption' | 'captionOverrides' | 'hashtags'>,
  platform: string,
): string {
  const caption = Object.hasOwn(post.captionOverrides, platform)
    ? (post.captionOverrides[platform] ?? '')
    : post.caption
  const tags = new Map<string, string>()
  for (const raw of post.hashtags) {
    const tag = raw.trim().replace(/^#+/, '')
    if (tag && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), `#${tag}`)
  }
  return [caption, [...tags.values()].join(' ')].filter((part) => part !== '').join('\n\n')
}
