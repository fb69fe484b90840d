import { Refusal } from '../domain/core/errors.ts'
import { derivedId } from '../domain/core/ids.ts'
import { mediaToExpire, type KeptFile, type KeptMedia } from '../domain/media/kept-media.ts'
import { media } from '../domain/media/media.ts'
import { video } from '../domain/video/video.ts'
import { handle, type CommandDeps } from './handle.ts'
import { deleteMedia } from './media.ts'
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
  /**
   * Makes space for a file that is about to be uploaded.
   *
   * @param add resolves once the upload is visible in the read models
   * @throws Refusal failed_precondition naming the setting
   */
  adding<T>(workspaceId: string, mediaId: string, file: KeptFile, add: () => Promise<T>): Promise<T>
  /** What the workspace has used of it. */
  used(workspaceId: string): Promise<{ readonly files: number; readonly bytes: number; readonly maxBytes: number }>
}

export interface MediaRoomDeps extends CommandDeps {
  /** The media of one workspace, oldest first. */
  keptMedia(workspaceId: string): Promise<readonly KeptMedia[]>
  /** Limit per workspace. */
  readonly maxBytes: number
}

interface Held extends KeptFile {
  readonly workspaceId: string
  readonly ownerId: string
  /** Of an upload that the read models do not show yet. */
  readonly isNew: boolean
}

export function createMediaRoom(deps: MediaRoomDeps): MediaRoom {
  const { keptMedia, maxBytes } = deps
  /** By file name, until the read models show the file. */
  const held = new Map<string, Held>()
  /** Ids of media whose expiry the read models may not show yet. */
  const expiring = new Set<string>()

  /** What a call must leave space for. Read before the read models are: what they show only later is still counted. */
  const heldBefore = (workspaceId: string, own: string): readonly Held[] =>
    [...held.values()].filter((file) => file.workspaceId === workspaceId && file.name !== own)

  /** @returns the bytes of those that the read models do not show */
  const settle = (files: readonly Held[], media: readonly KeptMedia[]): number => {
    const pending = new Set(media.flatMap(({ id, isReady }) => (isReady ? [] : [id])))
    let bytes = 0
    for (const { name, isNew, ownerId, ...file } of files) {
      if (isKept(media, name) || !(isNew || pending.has(ownerId))) held.delete(name)
      else bytes += file.bytes
    }
    return bytes
  }

  const expire = async ({ kind, id }: KeptMedia): Promise<void> => {
    const cause = { commandId: derivedId('expire media', id), actor: ACTOR, correlationId: id }
    if (kind === 'video') await handle(deps, video, id, cause, expireVideoMedia)
    else await handle(deps, media, id, cause, (state) => deleteMedia(state, 'room'))
  }

  const makeRoom = async (all: readonly KeptMedia[], bytes: number): Promise<void> => {
    const going = mediaToExpire(
      all.filter(({ id }) => !expiring.has(id)),
      bytes,
      maxBytes,
    )
    if (!going) throw full(maxBytes)
    // Before the first await: two concurrent calls must not count on expiring the same files.
    for (const { id } of going) expiring.add(id)
    for (const one of going) {
      try {
        await expire(one)
      } catch (error) {
        expiring.delete(one.id)
        throw error
      }
    }
  }

  const hold = async (file: Held): Promise<void> => {
    const { workspaceId, name, bytes } = file
    const before = heldBefore(workspaceId, name)
    // Before the read models are queried: a concurrent call must count it.
    held.set(name, file)
    try {
      const media = await keptMedia(workspaceId)
      await makeRoom(media, settle(before, media) + (isKept(media, name) ? 0 : bytes))
    } catch (error) {
      held.delete(name)
      throw error
    }
  }

  return {
    find: async (workspaceId, videoId) => {
      const before = heldBefore(workspaceId, '')
      const media = await keptMedia(workspaceId)
      if (media.some(({ id }) => id === videoId)) return
      await makeRoom(media, settle(before, media) + 1)
    },
    hold: (workspaceId, videoId, file) => hold({ ...file, workspaceId, ownerId: videoId, isNew: false }),
    adding: async (workspaceId, mediaId, file, add) => {
      await hold({ ...file, workspaceId, ownerId: mediaId, isNew: true })
      try {
        return await add()
      } finally {
        held.delete(file.name)
      }
    },
    used: async (workspaceId) => {
      const files = (await keptMedia(workspaceId)).flatMap((media) => media.files)
      return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), maxBytes }
    },
  }
}

function isKept(media: readonly KeptMedia[], name: string): boolean {
  return media.some(({ files }) => files.some((file) => file.name === name))
}

const ACTOR = { kind: 'reactor', id: 'media-room' } as const

function full(maxBytes: number): Refusal {
  const most = `${Math.floor(maxBytes / 1_000_000)} MB`
  const message = `The workspace's media use all of its ${most} (MEDIA_STORE_MAX), and posts need them or may need them again. Delete a video or an upload, or raise the setting.`
  return new Refusal('failed_precondition', message)
}
