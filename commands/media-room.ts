import { Refusal } from '../domain/core/errors.ts'
import { derivedId } from '../domain/core/ids.ts'
import { videosToExpire, type KeptFile, type KeptVideo } from '../domain/video/kept-media.ts'
import { video } from '../domain/video/video.ts'
import { handle, type CommandDeps } from './handle.ts'
import { expireVideoMedia } from './video.ts'

/**
 * A workspace's space in the media store. Stored files are seen by all processes, but each process counts only its own holds,
 * so two that hold at once may exceed the limit by one file: at most two videos of a workspace are in progress.
 */
export interface MediaRoom {
  /**
   * Makes sure that there is any space before a video is charged for. A video that was already ordered passes.
   *
   * @throws Refusal failed_precondition naming the setting
   */
  find(workspaceId: string, videoId: string): Promise<void>
  /**
   * Makes space for a file that is about to be stored. Idempotent per file.
   *
   * @throws Refusal failed_precondition naming the setting
   */
  hold(workspaceId: string, videoId: string, file: KeptFile): Promise<void>
}

export interface MediaRoomDeps extends CommandDeps {
  /** The videos of one workspace, oldest first. */
  keptVideos(workspaceId: string): Promise<readonly KeptVideo[]>
  /** Limit per workspace. */
  readonly maxBytes: number
}

interface Held extends KeptFile {
  readonly workspaceId: string
  readonly videoId: string
}

export function createMediaRoom(deps: MediaRoomDeps): MediaRoom {
  const { keptVideos, maxBytes } = deps
  /** By file name, until the read models show the file. */
  const held = new Map<string, Held>()
  /** Videos whose expiry the read models may not show yet. */
  const expiring = new Set<string>()

  const settleHeld = (workspaceId: string, videos: readonly KeptVideo[], own: string): number => {
    const kept = new Set(videos.flatMap(({ files }) => files.map(({ name }) => name)))
    const pending = new Set(videos.flatMap(({ id, isReady }) => (isReady ? [] : [id])))
    let bytes = 0
    for (const file of [...held.values()].filter((one) => one.workspaceId === workspaceId)) {
      if (file.name !== own && (kept.has(file.name) || !pending.has(file.videoId))) held.delete(file.name)
      else if (!kept.has(file.name)) bytes += file.bytes
    }
    return bytes
  }

  const makeRoom = async (all: readonly KeptVideo[], bytes: number): Promise<void> => {
    const going = videosToExpire(
      all.filter(({ id }) => !expiring.has(id)),
      bytes,
      maxBytes,
    )
    if (!going) throw full(maxBytes)
    // Before the first await: two concurrent calls must not count on expiring the same video.
    for (const id of going) expiring.add(id)
    for (const id of going) {
      const cause = { commandId: derivedId('expire media', id), actor: ACTOR, correlationId: id }
      try {
        await handle(deps, video, id, cause, expireVideoMedia)
      } catch (error) {
        expiring.delete(id)
        throw error
      }
    }
  }

  return {
    find: async (workspaceId, videoId) => {
      const videos = await keptVideos(workspaceId)
      if (videos.some(({ id }) => id === videoId)) return
      await makeRoom(videos, settleHeld(workspaceId, videos, '') + 1)
    },
    hold: async (workspaceId, videoId, file) => {
      // Counted before the read models are queried: a concurrent call must see it.
      held.set(file.name, { ...file, workspaceId, videoId })
      try {
        const videos = await keptVideos(workspaceId)
        await makeRoom(videos, settleHeld(workspaceId, videos, file.name))
      } catch (error) {
        held.delete(file.name)
        throw error
      }
    },
  }
}

const ACTOR = { kind: 'reactor', id: 'media-room' } as const

function full(maxBytes: number): Refusal {
  const most = `${Math.floor(maxBytes / 1_000_000)} MB`
  const message = `The workspace's media use all of its ${most} (MEDIA_STORE_MAX), and posts need them or may need them again. Delete a video, or raise the setting.`
  return new Refusal('failed_precondition', message)
}
