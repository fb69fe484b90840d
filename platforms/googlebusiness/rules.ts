import type { MediaFacts } from '../../infra/media/media.ts'
import type { Checked, TextLength } from '../kit/media-set.ts'
import type { PublishJob } from '../kit/platform.ts'

const FORMATS = ['image/jpeg', 'image/png']

/** Size limit as vendors report it. The API refuses posts with a video, despite its schema. */
export const TAKES = { image: { maxBytes: 5_000_000, isFetched: true, shape: { types: FORMATS } } } as const

const SUMMARY_LIMIT = 1500
/** Google says 10 KB; the larger reading is the safe one. */
const LEAST_BYTES = 10_240
const LEAST_PIXELS = 250

export function brokenRules({ text }: Pick<PublishJob, 'text'>, facts: MediaFacts | undefined): readonly string[] {
  const { length } = measure({ text })
  const broken =
    length > SUMMARY_LIMIT
      ? [
          `Google Business accepts texts of at most ${SUMMARY_LIMIT} characters; this one has ${length} with its hashtags.`,
        ]
      : []
  return facts ? [...broken, ...brokenImage(facts)] : broken
}

/** Google does not define a character; counting UTF-16 units never gives less than another count would. */
export function measure({ text }: Pick<PublishJob, 'text'>): TextLength {
  return { length: text.length, most: SUMMARY_LIMIT }
}

export function warnings({ options = {} }: Checked): readonly string[] {
  const { callToAction, offer } = options
  return callToAction !== undefined && offer !== undefined
    ? ['Google Business has no callToAction on an offer: it is left out.']
    : []
}

function brokenImage({ mimeType, bytes, width, height }: MediaFacts): readonly string[] {
  const small = Math.min(width ?? Infinity, height ?? Infinity) < LEAST_PIXELS
  return [
    ...(FORMATS.includes(mimeType) ? [] : [`Google Business accepts images as JPEG or PNG; this one is ${mimeType}.`]),
    ...(bytes < LEAST_BYTES
      ? [`Google Business accepts images of at least ${LEAST_BYTES} bytes; this one has ${bytes}.`]
      : []),
    ...(small
      ? [
          `Google Business accepts images of at least ${LEAST_PIXELS} pixels on each side; this one is ${width} x ${height}.`,
        ]
      : []),
  ]
}
