import type { PostType } from '../../domain/core/platform.ts'
import type { MediaFacts } from '../../infra/media/media.ts'
import type { TextLength } from '../kit/media-set.ts'
import { ratioOf, shownRatio } from '../meta/measures.ts'
import { brokenByVideo, CONTAINER_VIDEOS } from '../meta/video-rules.ts'
import { linkCount, textLength } from './text-length.ts'

const TEXT_LIMIT = 500
const LINK_LIMIT = 5

/** Some clients send WebP too, which Threads does not document. */
const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png']
const IMAGE = { maxRatio: 10 } as const

const VIDEO = { minMs: 0, maxMs: 300_000 } as const

/** Megabytes of 1,000,000 bytes, the smaller reading. */
export const TAKES = {
  image: {
    ...{ maxBytes: 8_000_000, isFetched: true, most: 20, altText: 1_000 },
    shape: { types: IMAGE_TYPES, ratio: { min: 0, max: IMAGE.maxRatio } },
  },
  video: {
    ...{ maxBytes: 1_000_000_000, isFetched: true, most: 20, altText: 1_000 },
    shape: { ...CONTAINER_VIDEOS, maxMs: VIDEO.maxMs },
  },
  mixed: 20,
  text: { chain: true },
} as const

/** Every Threads rule that the post breaks. There is none for image widths: Threads scales images. */
export function brokenRules(
  { text, mediaType }: { readonly text: string; readonly mediaType: PostType },
  facts: MediaFacts | undefined,
): readonly string[] {
  const media = !facts ? [] : mediaType === 'image' ? brokenByImage(facts) : brokenByVideo('Threads', VIDEO, facts)
  return [...brokenByText(text), ...media]
}

export function measure({ text }: { readonly text: string }): TextLength {
  return { length: textLength(text), most: TEXT_LIMIT }
}

/** Every Threads rule that the text of a post or reply breaks. */
export function brokenByText(text: string): readonly string[] {
  const length = textLength(text)
  const links = linkCount(text)
  return [
    ...(length > TEXT_LIMIT
      ? [
          `Threads accepts texts of at most ${TEXT_LIMIT} characters, with emoji counted as their bytes; this one has ${length}.`,
        ]
      : []),
    ...(links > LINK_LIMIT ? [`Threads accepts at most ${LINK_LIMIT} different links; this text has ${links}.`] : []),
  ]
}

function brokenByImage(facts: MediaFacts): readonly string[] {
  const { mimeType, width, height } = facts
  const ratio = ratioOf(facts)
  return [
    ...(IMAGE_TYPES.includes(mimeType)
      ? []
      : [`Threads accepts images as JPEG or PNG (${IMAGE_TYPES.join(', ')}); this one is ${mimeType}.`]),
    ...(ratio !== undefined && ratio > IMAGE.maxRatio
      ? [`Threads accepts images with a ratio of at most 10:1; this one is ${width}x${height}, ${shownRatio(ratio)}.`]
      : []),
  ]
}
