/** Bytes. TikTok takes 5 to 64 MB, of a smaller video the whole, and at most 1000 chunks. */
const CHUNK_BYTES = 6_000_000

/** The longest that one chunk can be: the last one, with what remains. */
export const LONGEST_CHUNK_BYTES = 2 * CHUNK_BYTES

/** From `start` up to, without it, `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** How a video is cut: into equal chunks, what remains being part of the last. */
export interface Plan {
  readonly chunkBytes: number
  readonly count: number
}

export function planOf(bytes: number): Plan {
  const chunkBytes = Math.min(bytes, CHUNK_BYTES)
  return { chunkBytes, count: Math.floor(bytes / chunkBytes) }
}

export function rangeOf(index: number, bytes: number): Range {
  const { chunkBytes, count } = planOf(bytes)
  return { start: index * chunkBytes, end: index + 1 < count ? (index + 1) * chunkBytes : bytes }
}

/** The chunk to go on with when so many bytes have arrived: one that arrived in part is sent as a whole. */
export function chunkAt(uploadedBytes: number, bytes: number): number {
  const { chunkBytes, count } = planOf(bytes)
  return Math.min(Math.floor(Math.max(0, uploadedBytes) / chunkBytes), count - 1)
}
