import type { MediaType } from '../../domain/core/platform.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { usedMedia } from '../../domain/media/media-use.ts'
import { mediaTypeOf, uploadedFileIn, type UploadType } from '../../domain/core/upload.ts'
import { media as kind } from '../../domain/media/media.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { bigint, boolean, integer, json, rowFrom, text, time, type RowOf } from '../engine/columns.ts'
import { newestFirst, type Filter, type WorkspacePage } from '../engine/newest-first.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

/** Remembered of one file. */
const MOST_USES = 20

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
  /** The one last given, here or in a post; empty if it was removed. */
  altText: text<string | null>(),
  /** Whether it makes no room for newer media. */
  keep: boolean(),
  /** The posts, drafts and videos that have named it, the last one first. */
  uses: json<readonly string[]>(),
  /** When it is deleted unless it is complete, kept or used by then. */
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
  version: 3,
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
            ...{ status: 'ready', expiresAt: isDoomed(before) ? unusedUntil : null, updatedAt: at },
          }
        )
      }
      case 'MediaEdited': {
        if (!before) return before
        const { altText = before.altText, keep = before.keep } = event.data
        return expiring({ ...before, altText, keep, updatedAt: at })
      }
      case 'UploadFailed':
        return before && { ...before, status: 'failed', error: event.data.error, updatedAt: at }
      case 'MediaDeleted':
        return undefined
      case 'MediaRelayed':
      case 'MediaFilesDeleted':
        return before
      default: {
        const { workspaceId, altTexts } = usedMedia(recorded) ?? {}
        if (!before || workspaceId !== before.workspaceId) return before
        const user = parseStreamName(recorded.stream).id
        const altText = altTexts?.get(id) ?? before.altText
        // A draft is saved again and again.
        if (before.uses[0] === user && altText === before.altText) return before
        const uses = [user, ...before.uses.filter((one) => one !== user)].slice(0, MOST_USES)
        return expiring({ ...before, altText, uses, usedAt: before.usedAt ?? at })
      }
    }
  },
}

const UNKNOWN = {
  ...{ mediaType: null, width: null, height: null, durationMs: null, error: null, usedAt: null },
  ...{ altText: null, keep: false, uses: [] },
}

function expiring(row: MediaRow): MediaRow {
  return row.status === 'ready' && !isDoomed(row) ? { ...row, expiresAt: null } : row
}

function isDoomed({ usedAt, keep }: MediaRow): boolean {
  return usedAt === null && !keep
}

export type UploadRow = MediaRow & { readonly status: Exclude<MediaRow['status'], 'pinned'> }

export async function listUploads(
  db: Database,
  page: WorkspacePage,
  filters: readonly Filter[] = [],
): Promise<readonly UploadRow[]> {
  const rows = await newestFirst(db, media, page, [{ sql: 'status <> $', value: 'pinned' }, ...filters])
  return rows.filter(isUpload)
}

export async function findUpload(db: Database, id: string): Promise<UploadRow | undefined> {
  const { rows } = await db.query<MediaRow>(`select ${rowFrom(columns)} from read.media where id = $1`, [id])
  return rows.find(isUpload)
}

/** The workspace that has uploaded this image; undefined if there is none, or not completely. */
export async function ownerOfImage(db: Database, file: string): Promise<string | undefined> {
  const id = uploadedFileIn(`/media/${file}`)?.mediaId
  const row = id === undefined ? undefined : await findUpload(db, id)
  const isThis = row?.file === file && row.status === 'ready' && mediaTypeOf(row.contentType) === 'image'
  return isThis ? row.workspaceId : undefined
}

/** The alt texts of uploads of a workspace, by id. */
export async function altTextsOf(
  db: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<{ id: string; altText: string }>(
    `select id, alt_text as "altText" from read.media where id = any($1) and workspace_id = $2 and alt_text <> ''`,
    [ids, workspaceId],
  )
  return new Map(rows.map(({ id, altText }) => [id, altText]))
}

/** Which of the files a workspace has, whether complete or not. */
export async function ownMediaAmong(
  db: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(
    'select id from read.media where id = any($1) and workspace_id = $2',
    [ids, workspaceId],
  )
  return new Set(rows.map(({ id }) => id))
}

function isUpload(row: MediaRow): row is UploadRow {
  return row.status !== 'pinned'
}
