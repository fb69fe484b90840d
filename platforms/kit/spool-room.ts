import { statfs } from 'node:fs/promises'
import { PlatformError } from './platform.ts'

/** Maximum share of one workspace, so that it cannot crowd out the others. */
const OF_WORKSPACE = 1 / 4
/** Maximum share of free disk space for media in transit. */
const OF_FREE = 1 / 2
/** Reservations grow in steps: querying the disk costs more than a chunk is worth. */
const STEP_BYTES = 8_000_000

/** Disk space for media fetched for publishing. Reservations are counted per process; free disk space is shared. */
export interface SpoolRoom {
  /** Starts empty and grows with the file. */
  open(workspaceId: string | undefined): Room
}

export interface Room {
  /**
   * Reserves this many bytes in total.
   *
   * @throws PlatformError `permanent` above the maximum of a workspace, `retryable` while the space is in use
   */
  reserve(bytes: number): Promise<void>
  /** Safe to call twice. */
  release(): void
}

export interface SpoolLimits {
  /** May not exist yet, as long as its parent does. */
  readonly directory: string
  /** Maximum for all media in transit. */
  readonly maxBytes: number
  /** Free disk space that every fetch must leave. */
  readonly minFreeBytes: number
  /** Free bytes on the folder's disk. */
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
              `the media is too large for this server: ${has} MB, but MEDIA_IN_TRANSIT_MAX allows a workspace ${most} MB`,
            )
          }
          const more = Math.min(Math.max(bytes - own, STEP_BYTES), ofWorkspace - own)
          // Counted before the disk query: two concurrent calls must not take the same space.
          take(more)
          const free = await freeBytes(directory)
          const mine = byWorkspace.get(workspaceId) ?? 0
          const most = Math.min(maxBytes, (free + held) * OF_FREE)
          const lack =
            free - more < minFreeBytes
              ? 'the disk is nearly full'
              : held > most
                ? 'other media are being fetched'
                : mine > most * OF_WORKSPACE
                  ? 'the workspace is using its full share'
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
