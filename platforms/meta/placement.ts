import { PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import type { Checked } from '../kit/media-set.ts'
import type { PublishJob } from '../kit/platform.ts'

/** Where a post appears. */
export const PLACEMENTS = ['feed', 'reel', 'story'] as const

/** How long (ms) a story is shown, and listed. */
export const STORY_LIFE_MS = 86_400_000

type Placed = Pick<PublishJob, 'options'>

export function isStory({ options }: Placed): boolean {
  return options?.['placement'] === 'story'
}

export function isPlacedAsReel({ options }: Placed): boolean {
  return options?.['placement'] === 'reel'
}

/** The post as it is published: a story has no caption. */
export function asPlaced<T extends Placed & { readonly text: string }>(post: T): T {
  return isStory(post) ? { ...post, text: '' } : post
}

/** The rules about placements that a post breaks. */
export function brokenPlacement(platform: PlatformKey, post: Checked): readonly string[] {
  if (!isPlacedAsReel(post) || post.mediaType !== 'image') return []
  return [`A reel on ${PLATFORM_NAMES[platform]} is a video: choose another placement for an image.`]
}

/** What is left out of a story. */
export function leftOutOfStory(platform: PlatformKey, post: Checked): readonly string[] {
  if (!isStory(post) || post.text === '') return []
  return [`A story on ${PLATFORM_NAMES[platform]} has no caption: it is left out.`]
}

/** The rules that a first comment breaks. */
export function brokenStoryComment(platform: PlatformKey, options: PublishJob['options']): readonly string[] {
  return isStory({ options }) ? [`A story on ${PLATFORM_NAMES[platform]} has no comments.`] : []
}
