import type { ByteSource } from './byte-source.ts'
import type { PixelSize } from './image-facts.ts'
import { jpegSegments } from './jpeg-segments.ts'

const ORIENTATION = 0x0112

/** The size of a JPEG as displayed, following its EXIF orientation (ITU T.81 §B.1, EXIF 2.32 §4.6). */
export async function jpegSize(source: ByteSource): Promise<PixelSize | undefined> {
  let turned: boolean | undefined
  for await (const { marker, start, end } of jpegSegments(source)) {
    if (isFrame(marker)) {
      const frame = await source.read(start, 6)
      return frame.length < 6 ? undefined : asShown(frame.readUInt16BE(3), frame.readUInt16BE(1), turned ?? false)
    }
    if (marker === 0xe1 && turned === undefined) turned = isTurned(await source.read(start, end - start))
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
