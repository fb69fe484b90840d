import type { ByteSource } from './byte-source.ts'

export interface Segment {
  readonly marker: number
  /** Where its content starts, after its length, and where it ends. */
  readonly start: number
  readonly end: number
}

/** Depth maps and profiles take a few hundred segments before the picture; more than this is not a photograph. */
const MOST_SEGMENTS = 2_000

/**
 * The segments of a JPEG before its picture data (ITU T.81 §B.1). Their content is not read, so its amount does not matter.
 */
export async function* jpegSegments(source: ByteSource): AsyncGenerator<Segment> {
  let position = 2
  for (let segment = 0; segment < MOST_SEGMENTS; segment += 1) {
    const head = await source.read(position, 4)
    const marker = head[1] ?? 0
    if (head.length < 4 || head[0] !== 0xff || isEnd(marker)) return
    const isWithContent = marker !== 0xff && !isAlone(marker)
    // Any number of fill bytes may precede a marker, and some markers stand alone.
    const next = position + (marker === 0xff ? 1 : isAlone(marker) ? 2 : 2 + Math.max(2, head.readUInt16BE(2)))
    if (isWithContent) yield { marker, start: position + 4, end: Math.min(next, source.size) }
    position = next
  }
}

function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
}

/** The picture data or the end of the image, before any frame header. */
function isEnd(marker: number): boolean {
  return marker === 0xda || marker === 0xd9 || marker === 0x00
}
