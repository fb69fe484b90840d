import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { ERASED, type ErasedFields } from '../core/personal-data.ts'
import { MEDIA_TYPES } from '../core/platform.ts'
import { text } from '../core/text.ts'
import { UPLOAD_TYPES } from '../core/upload.ts'

/** In hexadecimal. */
const sha256 = text(64)
const count = z.int().positive()

const events = {
  /** `file`: its name in the media store. `sha256`: the hash that the content must have. */
  UploadStarted: z.object({
    workspaceId: z.string(),
    fileName: text(255),
    contentType: z.enum(UPLOAD_TYPES),
    sizeBytes: count,
    sha256: sha256.optional(),
    file: text(200),
    expiresAt: z.iso.datetime(),
  }),
  /** The media store has the file. It is deleted at `unusedUntil` if nothing has used it by then. */
  UploadCompleted: z.object({
    mediaType: z.enum(MEDIA_TYPES),
    sha256,
    width: count.optional(),
    height: count.optional(),
    durationMs: z.number().nonnegative().optional(),
    unusedUntil: z.iso.datetime(),
  }),
  /** What was changed. An empty `altText` removes it. `keep`: whether it may make room for newer media, once it has been used. */
  MediaEdited: z.object({ workspaceId: z.string(), altText: text(5000).optional(), keep: z.boolean().optional() }),
  /** The content is not what was announced; nothing of it is kept. */
  UploadFailed: z.object({ error: text(2000) }),
  /** Somebody else's media, about to be stored until `expiresAt` for a platform that fetches it only from domains of ours. */
  MediaRelayed: z.object({
    workspaceId: z.string(),
    contentType: z.enum(UPLOAD_TYPES),
    sizeBytes: count,
    file: text(200),
    expiresAt: z.iso.datetime(),
  }),
  /** A copy of somebody else's media, about to be stored for as long as a scheduled post needs it. */
  MediaPinned: z.object({
    workspaceId: z.string(),
    postId: z.string(),
    contentType: z.enum(UPLOAD_TYPES),
    sizeBytes: count,
    file: text(200),
  }),
  /** `room`: it made room for the workspace's newer media. */
  MediaDeleted: z.object({ workspaceId: z.string(), reason: z.enum(['requested', 'expired', 'unused', 'room']) }),
  MediaFilesDeleted: z.object({}),
}

export type MediaEvent = EventOf<typeof events>
type DataOf<T extends MediaEvent['type']> = Extract<MediaEvent, { type: T }>['data']
export type StartedUpload = DataOf<'UploadStarted'>
export type MediaDeletion = DataOf<'MediaDeleted'>['reason']

interface Started extends StartedUpload, MediaEdit {
  readonly startedAt: string
}

export type ReadyMedia = Started & DataOf<'UploadCompleted'> & { readonly status: 'ready' }

export type LiveMedia =
  | (Started & { readonly status: 'uploading' })
  | ReadyMedia
  | (Started & { readonly status: 'failed'; readonly error: string })

export type RelayedMedia = DataOf<'MediaRelayed'>
export type PinnedFile = DataOf<'MediaPinned'>
export type MediaEdit = Omit<DataOf<'MediaEdited'>, 'workspaceId'>

type Deleted = Pick<StartedUpload, 'workspaceId' | 'file'> & {
  readonly status: 'deleted'
  readonly deletedAt: string
}

export type MediaState =
  | { readonly status: 'absent' }
  | LiveMedia
  | (RelayedMedia & { readonly status: 'relayed' })
  | (PinnedFile & { readonly status: 'pinned' })
  | Deleted

export function isLiveMedia(state: MediaState): state is LiveMedia {
  return state.status === 'uploading' || state.status === 'ready' || state.status === 'failed'
}

/** A file that was uploaded, from the announcement until it is deleted; or one that is relayed, or pinned. */
export const media: StreamKind<MediaState, MediaEvent> = {
  category: 'media',
  events,
  // Version 2 of UploadStarted and MediaRelayed may have types of images that no platform takes as they are; the last of each, a
  // document.
  upcasters: {
    UploadStarted: [unchanged, unchanged],
    UploadCompleted: [unchanged],
    MediaPinned: [unchanged],
    MediaRelayed: [unchanged, unchanged],
  },
  personal: {
    key: 'workspace',
    erased: { UploadStarted: { fileName: ERASED }, MediaEdited: { altText: ERASED } } satisfies ErasedFields<
      typeof events
    >,
  },
  initial: { status: 'absent' },
  evolve: (state, event, { at }) => {
    if (event.type === 'UploadStarted') return { ...event.data, status: 'uploading', startedAt: at }
    if (event.type === 'MediaRelayed') return { ...event.data, status: 'relayed' }
    if (event.type === 'MediaPinned') return { ...event.data, status: 'pinned' }
    if (state.status === 'absent') return state
    switch (event.type) {
      case 'UploadCompleted':
        return isLiveMedia(state) ? { ...state, ...event.data, status: 'ready' } : state
      case 'UploadFailed':
        return isLiveMedia(state) ? { ...state, ...event.data, status: 'failed' } : state
      case 'MediaEdited':
        return isLiveMedia(state) ? { ...state, ...event.data } : state
      case 'MediaDeleted':
        return deleted(state, at)
      case 'MediaFilesDeleted':
        return state
    }
  },
}

function deleted({ workspaceId, file }: Omit<Deleted, 'status' | 'deletedAt'>, deletedAt: string): Deleted {
  return { status: 'deleted', workspaceId, file, deletedAt }
}
