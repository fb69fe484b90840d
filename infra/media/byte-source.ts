import type { FileHandle } from 'node:fs/promises'

/** Random access to bytes without loading them all. */
export interface ByteSource {
  readonly size: number
  /** Up to `length` bytes from `position`; fewer at the end of the source. */
  read(position: number, length: number): Promise<Buffer>
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { size: bytes.length, read: async (position, length) => buffer.subarray(position, position + length) }
}

export async function fileSource(file: FileHandle): Promise<ByteSource> {
  const { size } = await file.stat()
  return {
    size,
    read: async (position, length) => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - position)))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
      return buffer.subarray(0, bytesRead)
    },
  }
}
