import {
  CONVERTED_MAX_BYTES,
  conversionFor,
  describeConversion,
  factsAfter,
  type Conversion as ImageConversion,
  type ImageShape,
  type RatioFit,
} from './image-conversion.ts'
import type { MediaFacts } from './media.ts'
import {
  CONVERTED_VIDEO_MAX_BYTES,
  describeVideoConversion,
  factsAfterVideo,
  videoConversionFor,
  type VideoConversion,
  type VideoShape,
} from './video-conversion.ts'

/** The images, or the videos, that a platform takes. */
export type Shape = { readonly image: ImageShape; readonly by: RatioFit } | { readonly video: VideoShape }

export type Conversion = ImageConversion | VideoConversion

/** The largest files that are converted. A document never is. */
export const MOST_CONVERTED = { image: CONVERTED_MAX_BYTES, video: CONVERTED_VIDEO_MAX_BYTES, document: 0 } as const

/** What has to be done to an item for a platform to take it; undefined if nothing has to be, or can be. */
export function conversionTo(shape: Shape, facts: MediaFacts): Conversion | undefined {
  return 'image' in shape ? conversionFor(shape.image, facts, shape.by) : videoConversionFor(shape.video, facts)
}

/** What is known of the result before it is made. */
export function factsOfResult(conversion: Conversion, facts: MediaFacts): MediaFacts {
  return conversion.kind === 'image' ? factsAfter(conversion, facts) : factsAfterVideo(conversion, facts)
}

/** What is done, as a sentence. */
export function describe(conversion: Conversion, facts: MediaFacts): string {
  return conversion.kind === 'image'
    ? describeConversion(conversion, facts)
    : describeVideoConversion(conversion, facts)
}
