import { statfs } from 'node:fs/promises'
import { PlatformError } from './platform.ts'

/** A workspace has at most this part of the room, so that it never takes the others'. */
const OF_WORKSPACE = 1 / 4
/** Of all disk that is free, media in transit take at most this part. */
const OF_FREE = 1 / 2
/** What grows is counted in steps: asking the disk costs more than a chunk is worth. */
const STEP_BYTES = 8_000_000

/** Room on disk for media that are fetched to be published. What a process holds is counted there; free disk is everybody's. */
export interface SpoolRoom {
  /** Begins with nothing; grows with the file. */
  open(workspaceId: string | undefined): Room
}

export interface Room {
  /**
   * Makes room for so many bytes in all.
   *
   * @throws PlatformError `permanent` for what is more than a workspace ever has, `retryable` while others hold it
   */
  reserve(bytes: number): Promise<void>
  /** Safe to call twice. */
  release(): void
}

export interface SpoolLimits {
  /** A folder on the disk; may not be there yet, as long as its parent is. */
  readonly directory: string
  /** Of all media in transit. */
  readonly maxBytes: number
  /** Nothing is fetched that would leave less free. */
  readonly minFreeBytes: number
  /** Bytes that are free on the folder's disk. */
  readonly freeBytes?: (directory: string) => Promise<number>
}

export function spoolRoom({ directory, maxBytes, minFreeBytes, freeBytes = freeOn }: SpoolLimits): SpoolRoom {
  let held = 0
  const byWorkspace = new Map<string, number>()
  const ofWorkspace = maxBytes * OF_WORKSPACE

  return {
    open: (workspaceId = '') => {
      let own = 0
      const take = (bytes: number) => {
        own += bytes
        held += bytes
        const left = (byWorkspace.get(workspaceId) ?? 0) + bytes
        if (left > 0) byWorkspace.set(workspaceId, left)
        else byWorkspace.delete(workspaceId)
      }
      return {
        reserve: async (bytes) => {
          if (bytes <= own) return
          if (bytes > ofWorkspace) {
            const [has, most] = [megabytes(bytes), megabytes(ofWorkspace)]
            throw new PlatformError(
              'permanent',
              `the media is too large for this server: ${has} MB, where MEDIA_IN_TRANSIT_MAX leaves a workspace ${most} MB`,
            )
          }
          const more = Math.min(Math.max(bytes - own, STEP_BYTES), ofWorkspace - own)
          // Counted before the disk is asked: two at once must not take the same room.
          take(more)
          const free = await freeBytes(directory)
          const mine = byWorkspace.get(workspaceId) ?? 0
          const most = Math.min(maxBytes, (free + held) * OF_FREE)
          const lack =
            free - more < minFreeBytes
              ? 'the disk is nearly full'
              : held > most
                ? 'others are being fetched'
                : mine > most * OF_WORKSPACE
                  ? 'the workspace has its share in use'
                  : undefined
          if (lack === undefined) return
          take(-more)
          throw new PlatformError('retryable', `there is no room for the media on the server yet: ${lack}`)
        },
        release: () => take(-own),
      }
    },
  }
}

async function freeOn(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000)
}
