import type * as z from 'zod'
import { mediaTypeOf } from '../../../domain/core/upload.ts'
import type { ReadyMedia } from '../../../domain/media/media.ts'
import { thumbnailPath } from '../../../infra/media/media-url.ts'
import type { MediaUser } from '../../../projections/models/media-uses.ts'
import type { UploadRow } from '../../../projections/models/media.ts'
import { shown } from '../../kit/shown.ts'
import { mediaSchema } from './media-schemas.ts'

type Shown = z.infer<typeof mediaSchema>
type UrlOf = (file: string) => string

/** @param usedBy absent in lists */
export function presentMedia(row: UploadRow, urlOf: UrlOf, usedBy?: readonly MediaUser[]): Shown {
  const { sizeBytes, contentType, status } = row
  const known = { ...row, sizeBytes: Number(sizeBytes), altText: row.altText || null }
  const users = usedBy?.map(({ caption, ...user }) => ({ ...user, ...(caption !== null && { caption }) })) ?? null
  return shown(mediaSchema, {
    ...known,
    ...urls(row, status === 'ready', urlOf),
    usedBy: users,
    mediaType: mediaTypeOf(contentType),
  })
}

/** Media whose upload has just been completed. */
export function presentReady(id: string, media: ReadyMedia, urlOf: UrlOf): Shown {
  const {
    startedAt,
    unusedUntil,
    sha256,
    width = null,
    height = null,
    durationMs,
    keep = false,
    altText,
    ...known
  } = media
  return shown(mediaSchema, {
    ...{
      ...known,
      ...urls(media, true, urlOf),
      id,
      sha256,
      width,
      height,
      keep,
      error: null,
      usedAt: null,
      usedBy: null,
    },
    altText: altText || null,
    durationMs: durationMs === undefined ? null : Math.round(durationMs),
    expiresAt: keep ? null : unusedUntil,
    createdAt: startedAt,
  })
}

function urls({ file, contentType }: Pick<ReadyMedia, 'file' | 'contentType'>, isReady: boolean, urlOf: UrlOf) {
  const hasThumbnail = isReady && mediaTypeOf(contentType) === 'image'
  return { mediaUrl: urlOf(file), thumbnailUrl: hasThumbnail ? urlOf(thumbnailPath(file)) : null }
}
