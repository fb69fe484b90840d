import { relayMedia } from '../../commands/media.ts'
import { handle, type CommandDeps } from '../../commands/handle.ts'
import { derivedId, derivedUlid } from '../../domain/core/ids.ts'
import { uploadTypeOf, type UploadType } from '../../domain/core/upload.ts'
import { media as kind } from '../../domain/media/media.ts'
import type { MediaStore } from '../../infra/media/store.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { PlatformError } from '../../platforms/kit/platform.ts'
import type { Relay } from '../../platforms/kit/relay.ts'

/** How long (ms) a relayed file is kept. Platforms fetch within an hour of the post, which follows within minutes. */
export const RELAYED_MS = 2 * 3_600_000

export interface RelayDeps extends Pick<CommandDeps, 'log' | 'clock'> {
  readonly store: MediaStore
  /** The name of a file in the media store, which cannot be guessed. */
  fileOf(mediaId: string, type: UploadType): string
}

/** The event comes first, so that the agenda has the file to delete even after a crash. */
export function createRelay({ log, clock, store, fileOf }: RelayDeps): Relay {
  return async ({ workspaceId, work }, { facts, open }, signal) => {
    const { mimeType, bytes: sizeBytes } = facts
    const contentType = uploadTypeOf(mimeType)
    if (!contentType) throw new PlatformError('permanent', `Fanfare does not serve files of the type ${mimeType}.`)
    const id = resourceId('med', derivedUlid('relay', work))
    const file = fileOf(id, contentType)
    const relayed = { workspaceId, contentType, sizeBytes, file, expiresAt: isoTime(clock.now() + RELAYED_MS) }
    const cause = { commandId: derivedId('relay', work), actor: ACTOR, correlationId: id }
    await handle({ log, clock }, kind, id, cause, (state) => relayMedia(state, relayed))
    await store.put(file, { bytes: sizeBytes, open: () => open() }, signal).catch((cause: unknown) => {
      throw new PlatformError('retryable', 'The media could not be stored for the platform to fetch.', { cause })
    })
    return file
  }
}

const ACTOR = { kind: 'reactor', id: 'publish' } as const
