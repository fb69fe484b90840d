import { Refusal } from '../domain/core/errors.ts'
import { derivedId } from '../domain/core/ids.ts'
import { videosToExpire, type KeptFile, type KeptVideo } from '../domain/video/kept-media.ts'
import { video } from '../domain/video/video.ts'
import { handle, type CommandDeps } from './handle.ts'
import { expireVideoMedia } from './video.ts'

/**
 * Room in the media store for what a workspace has made. What a process holds is counted there; what is kept is everybody's. Two
 * processes that hold at once may so exceed the room by the file of one: no more than two videos of a workspace are at work.
 */
export interface MediaRoom {
  /**
   * Makes sure that there is room at all, before a video is charged for. One that was ordered already keeps its place.
   *
   * @throws Refusal failed_precondition naming the setting
   */
  find(workspaceId: string, videoId: string): Promise<void>
  /**
   * Makes room for a file that is about to be kept. Asking again for the same file changes nothing.
   *
   * @throws Refusal failed_precondition naming the setting
   */
  hold(workspaceId: string, videoId: string, file: KeptFile): Promise<void>
}

export interface MediaRoomDeps extends CommandDeps {
  /** Of one workspace, oldest first. */
  keptVideos(workspaceId: string): Promise<readonly KeptVideo[]>
  /** Of a workspace. */
  readonly maxBytes: number
}

interface Held extends KeptFile {
  readonly workspaceId: string
  readonly videoId: string
}

export function createMediaRoom(deps: MediaRoomDeps): MediaRoom {
  const { keptVideos, maxBytes } = deps
  /** By file, until it can be seen in the read models. */
  const held = new Map<string, Held>()
  /** Videos whose expiry may not be seen there yet. */
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
    // Before anything is awaited: two at once must not count on the same video.
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
      // Counted before the read models are asked, for the same reason.
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
  const message = `The workspace's media take the ${most} that it has (MEDIA_STORE_MAX), and posts still need them, or failed ones may. Delete a video, or raise the setting.`
  return new Refusal('failed_precondition', message)
}
