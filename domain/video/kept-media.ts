/** A video that is processing or ready, with its files in the media store. */
export interface KeptVideo {
  readonly id: string
  readonly isReady: boolean
  /** Whether a post or a recycling rule still has to fetch one of its files, or may on a retry. */
  readonly isNeeded: boolean
  readonly files: readonly KeptFile[]
}

export interface KeptFile {
  readonly name: string
  readonly bytes: number
}

/**
 * The videos whose files to delete so that the workspace's media fit, oldest first; undefined when they cannot fit.
 *
 * @param videos of one workspace, oldest first
 * @param bytes to store in addition to their files
 */
export function videosToExpire(
  videos: readonly KeptVideo[],
  bytes: number,
  maxBytes: number,
): readonly string[] | undefined {
  let excess = bytes + videos.reduce((sum, { files }) => sum + bytesOf(files), 0) - maxBytes
  const going = videos.flatMap(({ id, isReady, isNeeded, files }) => {
    const freed = bytesOf(files)
    if (excess <= 0 || !isReady || isNeeded || freed === 0) return []
    excess -= freed
    return [id]
  })
  return excess > 0 ? undefined : going
}

function bytesOf(files: readonly KeptFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
