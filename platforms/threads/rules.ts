import type { MediaType } from '../../domain/platform.ts'
import type { MediaFacts } from '../media.ts'
import { linkCount, textLength } from './text-length.ts'

const TEXT_LIMIT = 500
const LINK_LIMIT = 5

/** Megabytes of 1,000,000 bytes, the smaller reading. */
export const TAKES = { image: { maxBytes: 8_000_000 }, video: { maxBytes: 1_000_000_000 } } as const

/** Some clients send WebP too, which Threads does not promise to take. */
const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png']
const VIDEO_TYPES: readonly string[] = ['video/mp4', 'video/quicktime']
const IMAGE = { maxRatio: 10 } as const
const VIDEO = { maxWidth: 1_920, maxMs: 300_000, minRatio: 0.01, maxRatio: 10 } as const

/** Every rule of Threads' that the post breaks. Widths are no rule for images: Threads scales them. */
export function brokenRules(
  { text, mediaType }: { readonly text: string; readonly mediaType: MediaType },
  facts: MediaFacts | undefined,
): readonly string[] {
  const media = !facts ? [] : mediaType === 'image' ? brokenByImage(facts) : brokenByVideo(facts)
  return [...brokenByText(text), ...media]
}

function brokenByText(text: string): readonly string[] {
  const length = textLength(text)
  const links = linkCount(text)
  return [
    ...(length > TEXT_LIMIT
      ? [`Threads takes texts of ${TEXT_LIMIT} characters, emoji counted as their bytes; this one has ${length}.`]
      : []),
    ...(links > LINK_LIMIT ? [`Threads takes ${LINK_LIMIT} different links, this text has ${links}.`] : []),
  ]
}

function brokenByImage({ mimeType, width, height }: MediaFacts): readonly string[] {
  const ratio = ratioOf(width, height)
  return [
    ...(IMAGE_TYPES.includes(mimeType)
      ? []
      : [`Threads takes images as JPEG or PNG (${IMAGE_TYPES.join(', ')}), this one is ${mimeType}.`]),
    ...(ratio !== undefined && ratio > IMAGE.maxRatio
      ? [`Threads takes images of a ratio up to 10:1, this one has ${width}x${height}, ${shown(ratio)}:1.`]
      : []),
  ]
}

function brokenByVideo({ mimeType, width, height, durationMs }: MediaFacts): readonly string[] {
  const ratio = ratioOf(width, height)
  return [
    ...(VIDEO_TYPES.includes(mimeType)
      ? []
      : [`Threads takes videos as MP4 or MOV (${VIDEO_TYPES.join(', ')}), this one is ${mimeType}.`]),
    ...(width !== undefined && width > VIDEO.maxWidth
      ? [`Threads takes videos of at most ${VIDEO.maxWidth} pixels in width, this one has ${width}.`]
      : []),
    ...(ratio !== undefined && (ratio < VIDEO.minRatio || ratio > VIDEO.maxRatio)
      ? [`Threads takes videos of a ratio between 0.01:1 and 10:1, this one has ${width}x${height}, ${shown(ratio)}:1.`]
      : []),
    ...(durationMs !== undefined && durationMs > VIDEO.maxMs
      ? [`Threads takes videos of at most ${seconds(VIDEO.maxMs)}, this one has ${seconds(durationMs)}.`]
      : []),
  ]
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(3))} s`
}

function ratioOf(width: number | undefined, height: number | undefined): number | undefined {
  return width === undefined || height === undefined ? undefined : width / height
}

function shown(ratio: number): string {
  return String(Number(ratio.toPrecision(3)))
}
