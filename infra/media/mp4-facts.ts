import type { ByteSource } from './byte-source.ts'
import { mediaBoxes, type Box, type Boxes } from './media-box.ts'

export interface Mp4Facts {
  /** As displayed, after the track's matrix. Absent if there is no picture. */
  readonly width?: number
  readonly height?: number
  readonly durationMs?: number
  readonly videoCodec?: string
  readonly audioCodec?: string
  readonly fps?: number
}

/** Names of sample entries (MP4 Registration Authority, "Codecs") that differ from those of the codecs. */
const CODECS: Readonly<Record<string, string>> = {
  ...{ avc1: 'h264', avc3: 'h264', hvc1: 'hevc', hev1: 'hevc', dvh1: 'hevc', dvhe: 'hevc' },
  ...{ vp08: 'vp8', vp09: 'vp9', av01: 'av1', mp4v: 'mpeg4', mp4a: 'aac' },
}
/** Where frames differ in length, the first thousands of them tell the average. */
const MOST_TIME_BYTES = 65_536

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
  let picture: Mp4Facts | undefined
  let audioCodec: string | undefined
  for await (const track of boxes.between(movie.start, movie.end)) {
    if (track.type !== 'trak') continue
    const kind = await kindOf(boxes, track)
    if (kind === 'soun') audioCodec ??= await codec(boxes, track)
    if (kind !== 'vide' || picture) continue
    const videoCodec = await codec(boxes, track)
    picture = {
      ...(await shownSize(boxes, track)),
      ...(await frameRate(boxes, track)),
      ...(videoCodec && { videoCodec }),
    }
  }
  return picture && { ...picture, ...(await duration(boxes, movie)), ...(audioCodec && { audioCodec }) }
}

async function kindOf(boxes: Boxes, track: Box): Promise<string> {
  const handler = await boxes.find(['mdia', 'hdlr'], track)
  return handler ? (await boxes.content(handler, 12)).toString('latin1', 8, 12) : ''
}

/** Of the first sample entry. */
async function codec(boxes: Boxes, track: Box): Promise<string | undefined> {
  const entries = await boxes.find(['mdia', 'minf', 'stbl', 'stsd'], track)
  const bytes = entries ? await boxes.content(entries, 16) : Buffer.alloc(0)
  const name = bytes.toString('latin1', 12, 16)
  return bytes.length < 16 ? undefined : (CODECS[name] ?? name.trim())
}

/** The number of samples by the time that they take. */
async function frameRate(boxes: Boxes, track: Box): Promise<Pick<Mp4Facts, 'fps'>> {
  const header = await boxes.find(['mdia', 'mdhd'], track)
  const times = await boxes.find(['mdia', 'minf', 'stbl', 'stts'], track)
  if (!header || !times) return {}
  const head = await boxes.content(header, 24)
  const at = head[0] === 1 ? 20 : 12
  if (head.length < at + 4) return {}
  const bytes = await boxes.content(times, MOST_TIME_BYTES)
  let [samples, units] = [0, 0]
  for (let entry = 8; entry + 8 <= bytes.length; entry += 8) {
    samples += bytes.readUInt32BE(entry)
    units += bytes.readUInt32BE(entry) * bytes.readUInt32BE(entry + 4)
  }
  const fps = Math.round((samples * head.readUInt32BE(at) * 100) / units) / 100
  return Number.isFinite(fps) && fps > 0 ? { fps } : {}
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
