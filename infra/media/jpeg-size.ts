import type { ByteSource } from './byte-source.ts'
import type { PixelSize } from './image-facts.ts'

/** Depth maps and profiles take a few hundred segments before the picture; more than this is not a photograph. */
const MOST_SEGMENTS = 2_000
const ORIENTATION = 0x0112

/**
 * The size of a JPEG as displayed, following its EXIF orientation (ITU T.81 §B.1, EXIF 2.32 §4.6). Skips over segments, so the
 * amount of data before the picture does not matter.
 */
export async function jpegSize(source: ByteSource): Promise<PixelSize | undefined> {
  let turned: boolean | undefined
  let position = 2
  for (let segment = 0; segment < MOST_SEGMENTS; segment += 1) {
    const head = await source.read(position, 10)
    const marker = head[1] ?? 0
    if (head.length < 10 || head[0] !== 0xff || isEnd(marker)) return undefined
    if (isFrame(marker)) return asShown(head.readUInt16BE(7), head.readUInt16BE(5), turned ?? false)
    const length = head.readUInt16BE(2)
    if (marker === 0xe1 && turned === undefined) turned = isTurned(await source.read(position + 4, length - 2))
    // Any number of fill bytes may precede a marker, and some markers stand alone.
    position += marker === 0xff ? 1 : isAlone(marker) ? 2 : 2 + Math.max(2, length)
  }
  return undefined
}

function asShown(width: number, height: number, turned: boolean): PixelSize | undefined {
  if (width === 0 || height === 0) return undefined
  return turned ? { width: height, height: width } : { width, height }
}

/** Frame headers: C0 to CF, except the tables C4 and CC and the reserved C8. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
}

/** The picture data or the end of the image, before any frame header. */
function isEnd(marker: number): boolean {
  return marker === 0xda || marker === 0xd9 || marker === 0x00
}

/** Whether EXIF says that the picture is rotated by 90°; `undefined` if the segment is not EXIF. */
function isTurned(segment: Buffer): boolean | undefined {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined
  const tiff = segment.subarray(6)
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return undefined
  const u16 = (at: number): number => {
    if (at + 2 > tiff.length) return 0
    return order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  }
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let entry = 0; entry < u16(directory); entry += 1) {
    const at = directory + 2 + entry * 12
    if (u16(at) === ORIENTATION) return u16(at + 8) >= 5 && u16(at + 8) <= 8
  }
  return false
}
