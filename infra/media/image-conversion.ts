import type { MediaFacts } from './media.ts'

/** The images that a platform takes. */
export interface ImageShape {
  /** MIME types, with `image/jpeg`. A GIF is left as it is where it is one of them, because it may be animated. */
  readonly types: readonly string[]
  readonly maxBytes: number
  /** Most pixels of the longer side, of the shorter side, and in all. */
  readonly longer?: number
  readonly shorter?: number
  readonly pixels?: number
  /** Width divided by height. */
  readonly ratio?: { readonly min: number; readonly max: number }
}

/** What happens to an image outside of the ratios that a platform takes: margins are added, or its edges are cut off. */
export const RATIO_FITS = ['pad', 'crop'] as const
export type RatioFit = (typeof RATIO_FITS)[number]

/** How an image is converted: always into a JPEG. */
export interface Conversion {
  readonly kind: 'image'
  readonly maxBytes: number
  /** Pixels of the result, which is scaled down further if it has too many bytes. Absent: as they are. */
  readonly size?: { readonly width: number; readonly height: number; readonly by: RatioFit }
}

/** What is converted. Others have no decoder. */
const DECODED = /^image\/(a?png|avif|gif|jpeg|tiff|webp|hei[cf](-sequence)?)$/
/** The largest file that is converted. */
export const CONVERTED_MAX_BYTES = 100_000_000
/** The largest image that is converted. Each pixel takes 4 to 10 bytes of memory. */
export const CONVERTED_MAX_PIXELS = 100_000_000

/** What has to be done to an image for a platform to take it; undefined if nothing has to be, or can be. */
export function conversionFor(shape: ImageShape, facts: MediaFacts, by: RatioFit): Conversion | undefined {
  const { mimeType, bytes, width, height } = facts
  if (!DECODED.test(mimeType) || bytes > CONVERTED_MAX_BYTES) return undefined
  const isTaken = shape.types.includes(mimeType)
  if (isTaken && mimeType === 'image/gif') return undefined
  const { maxBytes } = shape
  if (width === undefined || height === undefined)
    return isTaken && bytes <= maxBytes ? undefined : { kind: 'image', maxBytes }
  if (width * height > CONVERTED_MAX_PIXELS) return undefined
  const size = scaled(shape, ...inRatio(shape, width, height, by))
  if (size.width === width && size.height === height) {
    return isTaken && bytes <= maxBytes ? undefined : { kind: 'image', maxBytes }
  }
  return { kind: 'image', maxBytes, size: { ...size, by } }
}

/** What is known of the result before it is made. */
export function factsAfter(conversion: Conversion, facts: MediaFacts): MediaFacts {
  const { size } = conversion
  const { hasPosition: _, ...kept } = facts
  const bytes = Math.min(facts.bytes, conversion.maxBytes)
  return { ...kept, mimeType: 'image/jpeg', bytes, ...(size && { width: size.width, height: size.height }) }
}

/** What is done to an image, as a sentence. */
export function describeConversion(
  { maxBytes, size }: Conversion,
  { mimeType, bytes, width = 0, height = 0 }: MediaFacts,
): string {
  const isSameRatio =
    size && Math.abs(size.width / size.height - width / height) * Math.min(size.width, size.height) < 2
  const isSmaller = size && size.width * size.height < width * height
  const steps = [
    ...(mimeType === 'image/jpeg' ? [] : ['converted to JPEG']),
    ...(size && !isSameRatio ? [size.by === 'pad' ? 'padded with white margins' : 'cropped around its center'] : []),
    ...(size ? [`resized from ${width}x${height} to ${size.width}x${size.height} pixels`] : []),
    ...(bytes > maxBytes && !isSmaller ? [`compressed to at most ${maxBytes / 1e6} MB`] : []),
  ]
  return `The image is ${new Intl.ListFormat('en').format(steps)} before it is sent.`
}

function inRatio({ ratio }: ImageShape, width: number, height: number, by: RatioFit): [width: number, height: number] {
  if (!ratio) return [width, height]
  const isPadded = by === 'pad'
  if (width / height < ratio.min)
    return isPadded ? [Math.ceil(height * ratio.min), height] : [width, Math.floor(width / ratio.min)]
  if (width / height > ratio.max)
    return isPadded ? [width, Math.ceil(width / ratio.max)] : [Math.floor(height * ratio.max), height]
  return [width, height]
}

function scaled(shape: ImageShape, width: number, height: number): { readonly width: number; readonly height: number } {
  const { longer = Infinity, shorter = Infinity, pixels = Infinity } = shape
  const factor = Math.min(
    longer / Math.max(width, height),
    shorter / Math.min(width, height),
    Math.sqrt(pixels / (width * height)),
  )
  if (factor >= 1) return { width, height }
  return { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) }
}
