import type { ByteSource } from '../byte-source.ts'

/** A part of a file, read as if it were one. */
export interface Region extends ByteSource {
  /** Where it starts in the file. */
  readonly offset: number
}

/** New bytes for a place in a file: `bytes`, or `fill` over and over up to `end`. */
export type Patch =
  | { readonly start: number; readonly bytes: Buffer }
  | { readonly start: number; readonly end: number; readonly fill: number }

/** Much more than a file needs whose parts do not point to each other in circles. */
const MOST_READS = 20_000
const MOST_BYTES = 256_000_000

/** A whole file, which seems to end where a malicious one has been read for too long. */
export function limited(source: ByteSource): Region {
  let [reads, bytes] = [0, 0]
  return {
    ...{ offset: 0, size: source.size },
    read: async (position, length) => {
      reads += 1
      bytes += length
      return reads > MOST_READS || bytes > MOST_BYTES ? Buffer.alloc(0) : source.read(position, length)
    },
  }
}

/** The part between two positions of a region, as far as it exists. */
export function within(region: Region, start: number, end = region.size): Region {
  const offset = Math.min(Math.max(0, start), region.size)
  const size = Math.max(0, Math.min(end, region.size) - offset)
  return {
    ...{ offset: region.offset + offset, size },
    read: async (position, length) =>
      position < 0 || position >= size
        ? Buffer.alloc(0)
        : region.read(offset + position, Math.min(length, size - position)),
  }
}

export function filled({ offset, size }: Region, fill: number): Patch {
  return { start: offset, end: offset + size, fill }
}

/** Applies patches to bytes in memory. */
export function patchBytes(bytes: Buffer, patches: readonly Patch[]): void {
  for (const patch of patches) {
    if ('bytes' in patch) patch.bytes.copy(bytes, patch.start)
    else bytes.fill(patch.fill, patch.start, patch.end)
  }
}

export async function collected<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
