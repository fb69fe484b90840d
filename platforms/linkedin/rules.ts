import type { MediaFacts } from '../../infra/media/media.ts'
import type { Checked, TextLength } from '../kit/media-set.ts'

const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif']
const PIXEL_LIMIT = 36_152_320
const VIDEO_TYPE = 'video/mp4'
const VIDEO_LONGEST_MS = 30 * 60_000
const DOCUMENT_MOST_PAGES = 300

/**
 * Size limits. LinkedIn documents none for images, only a pixel count; this is the most that many pixels can need. For
 * videos and documents its megabytes are read as decimal, the smaller unit.
 */
export const TAKES = {
  image: {
    ...{ maxBytes: 100_000_000, most: 20, altText: 4_086 },
    shape: { types: IMAGE_TYPES, pixels: PIXEL_LIMIT - 1 },
  },
  video: { maxBytes: 500_000_000, shape: { types: [VIDEO_TYPE], maxMs: VIDEO_LONGEST_MS } },
  document: { maxBytes: 100_000_000 },
  text: {},
} as const

/** In UTF-16 units before escaping, the stricter count: an emoji is two or more. */
const TEXT_LIMIT = 3_000
/** 75 KB, read as binary kilobytes, the larger unit. */
const VIDEO_LEAST_BYTES = 76_800
const VIDEO_SHORTEST_MS = 3_000

/** Every LinkedIn rule that the post breaks. */
export function brokenRules(post: Checked, facts: MediaFacts | undefined): readonly string[] {
  return [...brokenTextRules(post.text), ...brokenTitleRules(post), ...(facts ? brokenMediaRules(facts) : [])]
}

export function measure({ text }: Checked): TextLength {
  return { length: text.length, most: TEXT_LIMIT }
}

function brokenTextRules(text: string): readonly string[] {
  if (text.length <= TEXT_LIMIT) return []
  return [
    `LinkedIn accepts texts of at most ${TEXT_LIMIT} characters; this one has ${text.length} (an emoji counts as two or more).`,
  ]
}

function brokenTitleRules({ mediaType, options }: Checked): readonly string[] {
  if (mediaType !== 'document') {
    return options?.['documentTitle'] === undefined ? [] : ['LinkedIn accepts a documentTitle only with a document.']
  }
  return options?.['title'] === undefined ? [] : ['The title of a document on LinkedIn is its documentTitle.']
}

function brokenMediaRules(facts: MediaFacts): readonly string[] {
  switch (facts.mediaType) {
    case 'image':
      return brokenImageRules(facts)
    case 'video':
      return brokenVideoRules(facts)
    case 'document':
      return brokenDocumentRules(facts)
  }
}

function brokenImageRules({ mimeType, width, height }: MediaFacts): readonly string[] {
  const broken: string[] = []
  if (!IMAGE_TYPES.includes(mimeType)) {
    broken.push(`LinkedIn accepts images as JPEG, PNG or GIF; this one is ${mimeType}.`)
  }
  if (width !== undefined && height !== undefined && width * height >= PIXEL_LIMIT) {
    const pixels = width * height
    broken.push(
      `LinkedIn accepts images of fewer than ${PIXEL_LIMIT} pixels; this one has ${pixels} (${width}x${height}).`,
    )
  }
  return broken
}

function brokenVideoRules({ mimeType, bytes, durationMs }: MediaFacts): readonly string[] {
  const broken: string[] = []
  if (mimeType !== VIDEO_TYPE) broken.push(`LinkedIn accepts videos as ${VIDEO_TYPE}; this one is ${mimeType}.`)
  if (bytes < VIDEO_LEAST_BYTES) {
    broken.push(`LinkedIn accepts videos of at least ${VIDEO_LEAST_BYTES} bytes; this one has ${bytes}.`)
  }
  if (durationMs !== undefined && (durationMs < VIDEO_SHORTEST_MS || durationMs > VIDEO_LONGEST_MS)) {
    const [shortest, longest] = [VIDEO_SHORTEST_MS / 1000, VIDEO_LONGEST_MS / 1000]
    broken.push(
      `LinkedIn accepts videos of ${shortest} to ${longest} seconds; this one is ${durationMs / 1000} seconds.`,
    )
  }
  return broken
}

function brokenDocumentRules({ pages = 0 }: MediaFacts): readonly string[] {
  if (pages <= DOCUMENT_MOST_PAGES) return []
  return [`LinkedIn accepts documents of at most ${DOCUMENT_MOST_PAGES} pages; this one has ${pages}.`]
}
