/** A video or an upload that has, or will have, files in the media store. */
export interface KeptMedia {
  readonly kind: 'video' | 'upload'
  readonly id: string
  readonly isReady: boolean
  /** Whether a post or a recycling rule still has to fetch one of its files, or may: on a retry, or for the first time. */
  readonly isNeeded: boolean
  readonly files: readonly KeptFile[]
}

/** A failed post can be retried at any time, but its media are kept no longer than this (ms). */
export const RETRIED_WITHIN_MS = 7 * 86_400_000

export interface KeptFile {
  readonly name: string
  readonly bytes: number
}

/**
 * The media whose files to delete so that those of the workspace fit, oldest first; undefined when they cannot fit.
 *
 * @param media of one workspace, oldest first
 * @param bytes to store in addition to their files
 */
export function mediaToExpire(
  media: readonly KeptMedia[],
  bytes: number,
  maxBytes: number,
): readonly KeptMedia[] | undefined {
  let excess = bytes + media.reduce((sum, { files }) => sum + bytesOf(files), 0) - maxBytes
  const going = media.filter(({ isReady, isNeeded, files }) => {
    const freed = bytesOf(files)
    if (excess <= 0 || !isReady || isNeeded || freed === 0) return false
    excess -= freed
    return true
  })
  return excess > 0 ? undefined : going
}

function bytesOf(files: readonly KeptFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
