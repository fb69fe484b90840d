import type { MediaRoom } from '../../commands/media-room.ts'

/** Room for everything. */
export const endlessRoom: MediaRoom = {
  find: async () => undefined,
  hold: async () => undefined,
  used: async () => ({ files: 0, bytes: 0, maxBytes: 0 }),
  adding: (_workspaceId, _mediaId, _file, add) => add(),
}
