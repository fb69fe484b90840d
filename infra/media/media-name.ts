import type { UploadType } from '../../domain/core/upload.ts'
import { unguessable } from '../runtime/unguessable.ts'

const UPLOADED = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/avif': 'avif',
  'image/tiff': 'tiff',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
} as const satisfies Record<UploadType, string>
const MIME_TYPES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(UPLOADED).map(([type, extension]) => [extension, type] as const),
  ...([
    ['wav', 'audio/wav'],
    ['mp3', 'audio/mpeg'],
    ['m4a', 'audio/mp4'],
  ] as const),
])

type MediaExtension = (typeof UPLOADED)[UploadType] | 'wav' | 'mp3' | 'm4a'

/** An upload's name ends with the id of its media, so that its URL says whose it is (`uploadedFileIn`). */
const NAME = /^[0-9a-v]{32}(?:[0-9a-hjkmnp-tv-z]{26})?\.(?<extension>[0-9a-z]{3,4})$/
/**
 * The name of a file in the media store. It is deterministic, so that a retry after a crash replaces the earlier file, and cannot
 * be guessed without the secret, because anyone with the name may read the file.
 *
 * @param secret the derivation secret, which outlives the master key
 */
export function mediaName(secret: Buffer, parts: readonly (string | number)[], extension: MediaExtension): string {
  return `${unguessable(secret, 'media names', parts)}.${extension}`
}

/** The name of an uploaded file. @param mediaId `med_` and a ULID */
export function uploadName(secret: Buffer, mediaId: string, type: UploadType): string {
  const id = mediaId.slice(mediaId.indexOf('_') + 1).toLowerCase()
  return `${unguessable(secret, 'media names', [mediaId])}${id}.${UPLOADED[type]}`
}

/** What permits to send the content of an upload, as a part of its URL. */
export function uploadToken(secret: Buffer, mediaId: string): string {
  return unguessable(secret, 'upload urls', [mediaId])
}

export function isMediaName(text: string): boolean {
  return typeOf(text) !== undefined
}

/** @throws Error if it is not a media name */
export function mimeTypeOf(name: string): string {
  const known = typeOf(name)
  if (known === undefined) throw new Error('not the name of a file in the media store')
  return known
}

function typeOf(name: string): string | undefined {
  return MIME_TYPES.get(NAME.exec(name)?.groups?.['extension'] ?? '')
}
