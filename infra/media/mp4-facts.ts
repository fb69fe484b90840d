import type { ByteSource } from './byte-source.ts'
import { mediaBoxes, type Box, type Boxes } from './media-box.ts'

export interface Mp4Facts {
  /** As displayed, after the track's matrix. Absent if there is no picture. */
  readonly width?: number
  readonly height?: number
  readonly durationMs?: number
}

/**
 * The facts in an mp4 or mov's own headers (ISO/IEC 14496-12 §8.2-8.4), wherever its index is in the file.
 *
 * Parsed here, a few hundred bytes of it, because the available libraries load the whole index into memory.
 *
 * @returns `undefined` if it has no index or no video track: it cannot be shown
 */
export async function mp4Facts(source: ByteSource): Promise<Mp4Facts | undefined> {
  const boxes = mediaBoxes(source)
  const movie = await boxes.find(['moov'], { start: 0, end: source.size })
  if (!movie) return undefined
  for await (const track of boxes.between(movie.start, movie.end)) {
    if (track.type !== 'trak' || !(await isVideo(boxes, track))) continue
    return { ...(await shownSize(boxes, track)), ...(await duration(boxes, movie)) }
  }
  return undefined
}

async function isVideo(boxes: Boxes, track: Box): Promise<boolean> {
  const handler = await boxes.find(['mdia', 'hdlr'], track)
  return handler !== undefined && (await boxes.content(handler, 12)).toString('latin1', 8, 12) === 'vide'
}

/** From the track header: version 1 has longer times before the matrix. */
async function shownSize(boxes: Boxes, track: Box): Promise<Pick<Mp4Facts, 'width' | 'height'>> {
  const header = await boxes.find(['tkhd'], track)
  const bytes = header ? await boxes.content(header, 96) : Buffer.alloc(0)
  const matrix = bytes[0] === 1 ? 52 : 40
  if (bytes.length < matrix + 44) return {}
  const [a, b, c, d] = [0, 4, 12, 16].map((at) => bytes.readInt32BE(matrix + at))
  const [across, down] = [36, 40].map((at) => Math.round(bytes.readUInt32BE(matrix + at) / 65_536))
  if (!across || !down) return {}
  const turned = a === 0 && d === 0 && b !== 0 && c !== 0
  return turned ? { width: down, height: across } : { width: across, height: down }
}

/** The movie's duration, or the sum of the fragments in a fragmented file, whose movie header says 0. */
async function duration(boxes: Boxes, movie: Box): Promise<Pick<Mp4Facts, 'durationMs'>> {
  const header = await boxes.find(['mvhd'], movie)
  const bytes = header ? await boxes.content(header, 32) : Buffer.alloc(0)
  const long = bytes[0] === 1
  if (bytes.length < (long ? 32 : 20)) return {}
  const perSecond = bytes.readUInt32BE(long ? 20 : 12)
  const units = time(bytes, long ? 24 : 16, long) ?? (await fragments(boxes, movie))
  return units === undefined || perSecond === 0 ? {} : { durationMs: Math.round((units / perSecond) * 1000) }
}

async function fragments(boxes: Boxes, movie: Box): Promise<number | undefined> {
  const header = await boxes.find(['mvex', 'mehd'], movie)
  const bytes = header ? await boxes.content(header, 12) : Buffer.alloc(0)
  const long = bytes[0] === 1
  return bytes.length < (long ? 12 : 8) ? undefined : time(bytes, 4, long)
}

/** All ones means unknown, and so does zero. */
function time(bytes: Buffer, at: number, long: boolean): number | undefined {
  const units = long ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at)
  return units === 0 || units >= (long ? 2 ** 63 : 2 ** 32 - 1) ? undefined : units
}
