import type { MediaType } from './platform.ts'

/** What can be uploaded: the formats that posts are made of, or that can be converted into one. */
export const UPLOAD_TYPES = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/avif',
  'image/tiff',
  'video/mp4',
  'video/quicktime',
  'video/webm',
  'application/pdf',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
] as const
export type UploadType = (typeof UPLOAD_TYPES)[number]

/** Names of one format, as far as posts are concerned. */
const SAME_FORMAT: Readonly<Record<string, UploadType>> = {
  'video/x-m4v': 'video/mp4',
  'image/apng': 'image/png',
  'image/heif': 'image/heic',
}

/** @param mimeType as found in the content */
export function uploadTypeOf(mimeType: string): UploadType | undefined {
  return SAME_FORMAT[mimeType] ?? UPLOAD_TYPES.find((type) => type === mimeType)
}

export function mediaTypeOf(contentType: UploadType): MediaType {
  if (contentType.startsWith('application/')) return 'document'
  return contentType.startsWith('image/') ? 'image' : 'video'
}

/** An unguessable part, then the id of the media in lower case. */
const IN_PATH = /\/media\/([0-9a-v]{32}([0-9a-hjkmnp-tv-z]{26})\.[0-9a-z]{3,4})(?:$|[?#])/

export interface UploadedFile {
  /** The name in the media store. */
  readonly file: string
  readonly mediaId: string
}

/**
 * The upload that a URL names, on whichever host: the service's own address may have changed since. Only the stream of the media
 * says whether there is such a file.
 */
export function uploadedFileIn(url: string): UploadedFile | undefined {
  const [, file, id] = IN_PATH.exec(url) ?? []
  return file === undefined || id === undefined ? undefined : { file, mediaId: `med_${id.toUpperCase()}` }
}
