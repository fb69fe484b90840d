import type { MediaType } from '../../domain/core/platform.ts'
import type { MediaFacts } from '../../infra/media/media.ts'
import { ratioOf, shownRatio } from '../meta/measures.ts'
import type { Checked, Takes, TextLength } from '../kit/media-set.ts'
import type { PublishJob } from '../kit/platform.ts'
import { asPlaced, brokenPlacement, isPlacedAsReel, isStory, leftOutOfStory } from '../meta/placement.ts'
import { brokenByVideo, CONTAINER_VIDEOS } from '../meta/video-rules.ts'

const CAPTION_LIMIT = 2_200
const HASHTAG_LIMIT = 30
const MENTION_LIMIT = 20
/** Announced in December 2025, and not known to be enforced in the API. */
const ANNOUNCED = { hashtags: 5, mentions: 3 }
/** Clients agree on the number; Meta's reference has none. */
const COMMENT_LIMIT = 2_200

/** 4:5 to 1.91:1. Anything that rounds to 1.91 counts: 1200x628 is commonly sold as 1.91:1. */
const IMAGE = { minRatio: 0.8, maxRatio: 1.915 } as const

const REEL = { minMs: 3_000, maxMs: 900_000 } as const
const STORY = { minMs: 3_000, maxMs: 60_000 } as const

/** Megabytes of 1,000,000 bytes, the smaller reading. One of Meta's texts says 1 GB for reels, the others 300 MB. */
export const TAKES = {
  image: {
    ...{ maxBytes: 8_000_000, isFetched: true, most: 10, altText: 1_000 },
    shape: { types: ['image/jpeg'], ratio: { min: IMAGE.minRatio, max: IMAGE.maxRatio - 0.001 } },
  },
  video: {
    ...{ maxBytes: 300_000_000, isFetched: true, most: 10 },
    thumbnail: { types: ['image/jpeg'], maxBytes: 8_000_000 },
    shape: { ...CONTAINER_VIDEOS, maxMs: REEL.maxMs },
  },
  mixed: 10,
} as const
const REELS = { image: { ...TAKES.image, most: 1 }, video: { ...TAKES.video, most: 1 } } as const
/** Images of any ratio, and no alt text. */
const STORIES = {
  image: { maxBytes: TAKES.image.maxBytes, isFetched: true, shape: { types: TAKES.image.shape.types } },
  video: { maxBytes: 100_000_000, isFetched: true, shape: { ...CONTAINER_VIDEOS, maxMs: STORY.maxMs } },
} as const

const NOT_OF_STORIES = ['collaborators', 'locationId', 'shareToFeed', 'coverUrl', 'thumbOffset'] as const
const OF_REELS = ['coverUrl', 'thumbOffset'] as const

export function takesFor(options: PublishJob['options']): Takes {
  if (isStory({ options })) return STORIES
  return isPlacedAsReel({ options }) ? REELS : TAKES
}

const HASHTAG = /(?<![\p{L}\p{M}\p{N}_&])#[\p{L}\p{M}\p{N}_]+/gu
const MENTION = /(?<![\p{L}\p{M}\p{N}_.])@[A-Za-z0-9_.]+/gu

/** Every Instagram rule that the post breaks. There is none for image widths: Instagram scales images. */
export function brokenRules(post: Checked, facts: MediaFacts | undefined): readonly string[] {
  const media = !facts ? [] : post.mediaType === 'image' ? brokenByImage(post, facts) : brokenByVideoOf(post, facts)
  return [...brokenByText(asPlaced(post).text), ...brokenByOptions(post), ...media]
}

function brokenByOptions(post: Checked): readonly string[] {
  const { options = {} } = post
  const given = (names: readonly string[]) => names.filter((name) => options[name] !== undefined)
  if (isStory(post)) {
    return given(NOT_OF_STORIES).map((name) => `A story on Instagram has no ${name}: leave it out.`)
  }
  const ofReel = isReel(post) ? [] : given(OF_REELS)
  return [
    ...brokenPlacement('instagram', post),
    ...ofReel.map((name) => `On Instagram, only a reel, which is one video, has ${name}: leave it out.`),
  ]
}

/** A video on its own is one. */
function isReel({ mediaType, items = 1 }: Checked): boolean {
  return mediaType === 'video' && items === 1
}

export function measure(post: Checked): TextLength {
  return { length: [...asPlaced(post).text].length, most: CAPTION_LIMIT }
}

function brokenByText(text: string): readonly string[] {
  const length = [...text].length
  const hashtags = text.match(HASHTAG)?.length ?? 0
  const mentions = text.match(MENTION)?.length ?? 0
  return [
    ...(length > CAPTION_LIMIT
      ? [`Instagram accepts captions of at most ${CAPTION_LIMIT} characters; this one has ${length}.`]
      : []),
    ...(hashtags > HASHTAG_LIMIT
      ? [`Instagram accepts at most ${HASHTAG_LIMIT} hashtags; this caption has ${hashtags}.`]
      : []),
    ...(mentions > MENTION_LIMIT
      ? [`Instagram accepts at most ${MENTION_LIMIT} mentions; this caption has ${mentions}.`]
      : []),
  ]
}

/** What Instagram may refuse, or not show. */
export function warnings(post: Checked): readonly string[] {
  const { text } = asPlaced(post)
  const counts = { hashtags: text.match(HASHTAG)?.length ?? 0, mentions: text.match(MENTION)?.length ?? 0 }
  const many = (['hashtags', 'mentions'] as const).flatMap((what) =>
    counts[what] > ANNOUNCED[what]
      ? [`Instagram has announced a limit of ${ANNOUNCED[what]} ${what}; this caption has ${counts[what]}.`]
      : [],
  )
  const isIgnored = post.options?.['shareToFeed'] !== undefined && !isReel(post) && !isStory(post)
  const ignored = 'On Instagram, shareToFeed is only for a reel, which is one video: it is left out.'
  return [...leftOutOfStory('instagram', post), ...(isIgnored ? [ignored] : []), ...many]
}

/** Every Instagram rule that a comment breaks. */
export function brokenByComment(text: string): readonly string[] {
  const length = [...text].length
  return length > COMMENT_LIMIT
    ? [`Instagram accepts comments of at most ${COMMENT_LIMIT} characters; this one has ${length}.`]
    : []
}

function brokenByImage(post: Checked, facts: MediaFacts): readonly string[] {
  const { mimeType, bytes, width, height } = facts
  const ratio = isStory(post) ? undefined : ratioOf(facts)
  return [
    ...(mimeType === 'image/jpeg' ? [] : [`Instagram accepts images as JPEG (image/jpeg); this one is ${mimeType}.`]),
    ...tooManyBytes(post, 'image', bytes),
    ...(ratio !== undefined && (ratio < IMAGE.minRatio || ratio >= IMAGE.maxRatio)
      ? [
          `Instagram accepts images with a ratio between 4:5 and 1.91:1; this one is ${width}x${height}, ${shownRatio(ratio)}.`,
        ]
      : []),
  ]
}

function brokenByVideoOf(post: Checked, facts: MediaFacts): readonly string[] {
  const lengths = isStory(post) ? STORY : REEL
  return [...tooManyBytes(post, 'video', facts.bytes), ...brokenByVideo('Instagram', lengths, facts)]
}

function tooManyBytes({ options }: Checked, mediaType: MediaType, bytes: number): readonly string[] {
  const { maxBytes = Infinity } = takesFor(options)[mediaType] ?? {}
  return bytes > maxBytes
    ? [`Instagram accepts ${mediaType}s of at most ${maxBytes} bytes; this one has ${bytes}.`]
    : []
}
