/** TikTok takes at most 1,000 chunks of 5 to 64 MB; a smaller video is a single chunk. */
const CHUNK_BYTES = 6_000_000

/** The maximum size of the last chunk, which includes the remainder. */
export const LONGEST_CHUNK_BYTES = 2 * CHUNK_BYTES

/** A byte range, `end` exclusive. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** How to split a video: into equal chunks, with the remainder added to the last one. */
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

/** The chunk to resume with after this many bytes. A partly received chunk is sent again as a whole. */
export function chunkAt(uploadedBytes: number, bytes: number): number {
  const { chunkBytes, count } = planOf(bytes)
  return Math.min(Math.floor(Math.max(0, uploadedBytes) / chunkBytes), count - 1)
}
