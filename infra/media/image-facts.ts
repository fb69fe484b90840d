import { imageSize } from 'image-size'
import type { ByteSource } from './byte-source.ts'
import { jpegSize } from './jpeg-size.ts'
import { mediaBoxes } from './media-box.ts'

export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** Formats with their size at the start. */
const SIZE_AT_START = new Set(['image/png', 'image/apng', 'image/gif', 'image/webp', 'image/bmp'])
const START_BYTES = 4096

/**
 * The size of an image as displayed.
 *
 * @returns `unknown` for an unsupported format, `damaged` if the format is supported but its size is missing
 */
export async function shownImageSize(source: ByteSource, mimeType: string): Promise<PixelSize | 'unknown' | 'damaged'> {
  if (mimeType === 'image/jpeg') return (await jpegSize(source)) ?? 'damaged'
  if (/^image\/(heic|heif|avif)/.test(mimeType)) return (await heifSize(source)) ?? 'damaged'
  if (!SIZE_AT_START.has(mimeType)) return 'unknown'
  // A separate copy: image-size reads past the end of a view, into the memory behind it.
  const start = new Uint8Array(await source.read(0, START_BYTES))
  try {
    const { width, height } = imageSize(start)
    return width > 0 && height > 0 ? { width, height } : 'damaged'
  } catch {
    return 'damaged'
  }
}

/**
 * HEIF stores tiles and thumbnails next to the picture, which is the largest of them (ISO/IEC 23008-12 §6.5). Rotation is a
 * property too, and cameras set the same one on all parts of a picture.
 */
async function heifSize(source: ByteSource): Promise<PixelSize | undefined> {
  const boxes = mediaBoxes(source)
  const meta = await boxes.find(['meta'], { start: 0, end: source.size })
  // A version and flags precede the boxes inside.
  const properties = meta && (await boxes.find(['iprp', 'ipco'], { start: meta.start + 4, end: meta.end }))
  if (!properties) return undefined
  let largest: PixelSize | undefined
  let turned = false
  for await (const box of boxes.between(properties.start, properties.end)) {
    const bytes = await boxes.content(box, 12)
    if (box.type === 'irot') turned = ((bytes[0] ?? 0) & 1) === 1
    if (box.type !== 'ispe' || bytes.length < 12) continue
    const [width, height] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)]
    if (width * height > (largest ? largest.width * largest.height : 0)) largest = { width, height }
  }
  return turned && largest ? { width: largest.height, height: largest.width } : largest
}
