import { fileTypeFromBuffer } from 'file-type'
import type { FileHash } from './files.ts'

/** Enough of a file's beginning to detect its type. */
export const HEAD_BYTES = 4_100

/** A TIFF's first directory, by which the library knows it, may be anywhere in the file. */
export async function imageTypeOf(head: Buffer): Promise<string | undefined> {
  const found = (await fileTypeFromBuffer(head))?.mime
  return found ?? (/^(II\*\0|MM\0\*)/.test(head.toString('latin1', 0, 4)) ? 'image/tiff' : undefined)
}

export interface Measured {
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
  /** The file's beginning and end. */
  readonly head: Buffer
  readonly tail: Buffer
}

/** Counts and hashes bytes. */
export function gauge(hash: FileHash, tailBytes: number) {
  let bytes = 0
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  return {
    add: (part: Uint8Array): void => {
      hash.update(part)
      bytes += part.length
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, part.subarray(0, HEAD_BYTES - head.length)])
      tail = Buffer.concat([tail, part.subarray(-tailBytes)]).subarray(-tailBytes)
    },
    result: (): Measured => ({ bytes, sha256: hash.digest(), head, tail }),
  }
}

/** @returns undefined beyond `most`, once all of it was read: closing the connection early would hide the answer */
export async function measure(
  body: AsyncIterable<Uint8Array>,
  hash: FileHash,
  most: number,
  tailBytes = 200,
): Promise<Measured | undefined> {
  const file = gauge(hash, tailBytes)
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes <= most) file.add(chunk)
  }
  return bytes <= most ? file.result() : undefined
}
