import type { MediaType } from '../../domain/core/platform.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { usedMedia } from '../../domain/media/media-use.ts'
import type { UploadType } from '../../domain/core/upload.ts'
import { media as kind } from '../../domain/media/media.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { bigint, integer, rowFrom, text, time, type RowOf } from '../engine/columns.ts'
import { newestFirst, type WorkspacePage } from '../engine/newest-first.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  /** `pinned`: not an upload, but a copy for a scheduled post. */
  status: text<'uploading' | 'ready' | 'failed' | 'pinned'>(),
  fileName: text(),
  contentType: text<UploadType>(),
  sizeBytes: bigint(),
  sha256: text<string | null>(),
  /** Its name in the media store. */
  file: text(),
  mediaType: text<MediaType | null>(),
  width: integer<number | null>(),
  height: integer<number | null>(),
  durationMs: integer<number | null>(),
  error: text<string | null>(),
  /** When it is deleted unless it is complete, or used, by then. */
  expiresAt: time<string | null>(),
  /** When a post or a video first named it. */
  usedAt: time<string | null>(),
  createdAt: time(),
  updatedAt: time(),
}
export type MediaRow = RowOf<typeof columns>

/** What was uploaded or pinned. */
export const media: Projection<MediaRow> = {
  name: 'media',
  version: 2,
  columns,
  // The events of posts that use it come to a row that there may be.
  createsRow: (recorded) => eventOf(kind, recorded) !== undefined && atStreamStart(recorded),
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (recorded) =>
    eventOf(kind, recorded) ? [parseStreamName(recorded.stream).id] : (usedMedia(recorded)?.mediaIds ?? []),
  apply: (before, recorded, id) => {
    const event = eventOf(kind, recorded)
    const { at } = recorded.metadata
    switch (event?.type) {
      case 'UploadStarted': {
        const { sha256 = null, sizeBytes, ...started } = event.data
        const times = { createdAt: at, updatedAt: at }
        return { id, status: 'uploading', ...started, sizeBytes: String(sizeBytes), sha256, ...UNKNOWN, ...times }
      }
      case 'MediaPinned': {
        const { postId: _, sizeBytes, ...pinned } = event.data
        const rest = { ...UNKNOWN, fileName: '', sha256: null, expiresAt: null, createdAt: at, updatedAt: at }
        return { id, status: 'pinned', ...pinned, sizeBytes: String(sizeBytes), ...rest }
      }
      case 'UploadCompleted': {
        const { unusedUntil, width = null, height = null, durationMs, ...stored } = event.data
        return (
          before && {
            ...before,
            ...stored,
            ...{ width, height, durationMs: durationMs === undefined ? null : Math.round(durationMs) },
            ...{ status: 'ready', expiresAt: before.usedAt === null ? unusedUntil : null, updatedAt: at },
          }
        )
      }
      case 'UploadFailed':
        return before && { ...before, status: 'failed', error: event.data.error, updatedAt: at }
      case 'MediaDeleted':
        return undefined
      case 'MediaRelayed':
      case 'MediaFilesDeleted':
        return before
      default: {
        if (!before || before.usedAt !== null || usedMedia(recorded)?.workspaceId !== before.workspaceId) return before
        const expiresAt = before.status === 'ready' ? null : before.expiresAt
        return { ...before, usedAt: at, expiresAt }
      }
    }
  },
}

const UNKNOWN = { mediaType: null, width: null, height: null, durationMs: null, error: null, usedAt: null }

export type UploadRow = MediaRow & { readonly status: Exclude<MediaRow['status'], 'pinned'> }

export async function listUploads(db: Database, page: WorkspacePage): Promise<readonly UploadRow[]> {
  const rows = await newestFirst(db, media, page, [{ sql: 'status <> $', value: 'pinned' }])
  return rows.filter(isUpload)
}

export async function findUpload(db: Database, id: string): Promise<UploadRow | undefined> {
  const { rows } = await db.query<MediaRow>(`select ${rowFrom(columns)} from read.media where id = $1`, [id])
  return rows.find(isUpload)
}

function isUpload(row: MediaRow): row is UploadRow {
  return row.status !== 'pinned'
}
