import { readFileSync } from 'node:fs'
import { bytesSource, type ByteSource } from '../../infra/media/byte-source.ts'

/** A file of `test/fixtures/media`: 64x48 pixels, clips of 1.2 s, made with ffmpeg. */
export function sample(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/media/${name}`, import.meta.url))
}

export function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, index * 4))
  return bytes
}

/** A JPEG with more segments right after its start. */
export function withSegments(jpeg: Buffer, ...segments: readonly Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

export function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** An EXIF segment whose only entries are a maker's name and the orientation. */
export function exif(orientation: number, order: 'II' | 'MM', directory = 8): Buffer {
  const tiff = Buffer.alloc(directory + 2 + 2 * 12 + 4)
  const u16 = (value: number, at: number): unknown =>
    order === 'II' ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  const long = (value: number, at: number): unknown =>
    order === 'II' ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at)
  tiff.write(order, 0, 'latin1')
  u16(42, 2)
  long(directory, 4)
  u16(2, directory)
  const entries = [
    [0x010f, 2, 3, 0x41420000],
    [0x0112, 3, 1, orientation],
  ] as const
  entries.forEach(([tag, type, count, value], index) => {
    const at = directory + 2 + index * 12
    u16(tag, at)
    u16(type, at + 2)
    long(count, at + 4)
    if (type === 3) u16(value, at + 8)
    else long(value, at + 8)
  })
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]))
}

/** A HEIC's skeleton: its brand and the properties of its parts. */
export function heic(...properties: readonly Buffer[]): Buffer {
  const brand = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'))
  return Buffer.concat([brand, box('meta', u32(0), box('iprp', box('ipco', ...properties)))])
}

export interface Watched extends ByteSource {
  readonly reads: () => number
  readonly bytesRead: () => number
}

/** Counts what is read of a source, which may be larger than memory. */
export function watched(source: ByteSource | Buffer): Watched {
  const inner = Buffer.isBuffer(source) ? bytesSource(source) : source
  let reads = 0
  let bytes = 0
  return {
    size: inner.size,
    read: async (position, length) => {
      const result = await inner.read(position, length)
      reads += 1
      bytes += result.length
      return result
    },
    reads: () => reads,
    bytesRead: () => bytes,
  }
}

/** The parts one after the other, with any number of zero bytes between that nobody holds. */
export function sparse(parts: readonly (Buffer | number)[]): ByteSource {
  const sizeOf = (part: Buffer | number): number => (typeof part === 'number' ? part : part.length)
  const size = parts.reduce<number>((sum, part) => sum + sizeOf(part), 0)
  return {
    size,
    read: async (position, length) => {
      const result = Buffer.alloc(Math.max(0, Math.min(length, size - position)))
      let start = 0
      for (const part of parts) {
        if (typeof part !== 'number') {
          const from = Math.max(position, start)
          if (from < start + part.length && from < position + result.length)
            part.copy(result, from - position, from - start)
        }
        start += sizeOf(part)
      }
      return result
    },
  }
}
