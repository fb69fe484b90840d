import type { ByteSource } from './byte-source.ts'

/** A box of the ISO base media file format (ISO/IEC 14496-12 §4.2), as in mp4, mov, heic and avif. */
export interface Box {
  readonly type: string
  /** Where its header starts: the size, and 4 bytes later the type. */
  readonly at: number
  /** Where its content starts, after the header, and where it ends. */
  readonly start: number
  readonly end: number
}

/** No real file has this many boxes above its samples; a malicious one might have millions. */
const MOST_BOXES = 10_000

/** Reads only headers and seeks over the rest, so that neither a large nor a malicious file costs memory. */
export interface Boxes {
  /** The boxes between two positions, in order, up to the first non-box. A box that exceeds the range is cut to it. */
  between(start: number, end: number): AsyncGenerator<Box>
  /** The first box at the path of types below a position, such as `['mdia', 'hdlr']`. */
  find(path: readonly string[], within: Pick<Box, 'start' | 'end'>): Promise<Box | undefined>
  /** At most `length` bytes of a box's content. */
  content(box: Box, length: number): Promise<Buffer>
}

export function mediaBoxes(source: ByteSource): Boxes {
  let seen = 0
  const between = async function* (start: number, end: number): AsyncGenerator<Box> {
    for (let position = start; position + 8 <= end && seen < MOST_BOXES;) {
      seen += 1
      const header = await source.read(position, 16)
      if (header.length < 8) return
      const type = header.toString('latin1', 4, 8)
      const short = header.readUInt32BE(0)
      const long = short === 1
      if (long && header.length < 16) return
      const size = long ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - position : short
      const content = position + (long ? 16 : 8)
      if (position + size < content) return
      const next = Math.min(position + size, end)
      yield { type, at: position, start: content, end: next }
      position = next
    }
  }
  const find = async (
    path: readonly string[],
    { start, end }: Pick<Box, 'start' | 'end'>,
  ): Promise<Box | undefined> => {
    const [type, ...rest] = path
    for await (const box of between(start, end)) {
      if (box.type === type) return rest.length === 0 ? box : find(rest, box)
    }
    return undefined
  }
  return { between, find, content: ({ start, end }, length) => source.read(start, Math.min(length, end - start)) }
}
