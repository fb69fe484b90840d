import type * as z from 'zod'
import { mediaTypeOf } from '../../../domain/core/upload.ts'
import type { ReadyMedia } from '../../../domain/media/media.ts'
import type { UploadRow } from '../../../projections/models/media.ts'
import { shown } from '../../kit/shown.ts'
import { mediaSchema } from './media-schemas.ts'

type Shown = z.infer<typeof mediaSchema>
type UrlOf = (file: string) => string

export function presentMedia(row: UploadRow, urlOf: UrlOf): Shown {
  const { sizeBytes, file, contentType } = row
  const known = { sizeBytes: Number(sizeBytes), mediaUrl: urlOf(file), mediaType: mediaTypeOf(contentType) }
  return shown(mediaSchema, { ...row, ...known })
}

/** Media whose upload has just been completed. */
export function presentReady(id: string, media: ReadyMedia, urlOf: UrlOf): Shown {
  const { file, startedAt, unusedUntil, sha256, width = null, height = null, durationMs, ...known } = media
  return shown(mediaSchema, {
    ...known,
    ...{ id, sha256, width, height, error: null, usedAt: null, mediaUrl: urlOf(file) },
    durationMs: durationMs === undefined ? null : Math.round(durationMs),
    expiresAt: unusedUntil,
    createdAt: startedAt,
  })
}
