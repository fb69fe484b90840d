import type { UploadServices } from '../../domain/media/uploads.ts'
import { uploadName, uploadToken } from '../../infra/media/media-name.ts'
import { createUploads } from '../../reactors/media/receive-upload.ts'
import type { Core } from './core.ts'

/** @param secret what names are derived from */
export function uploadServices(core: Core, secret: Buffer): UploadServices {
  const { log, clock, seen, mediaStore: store, partialFiles: files, settings, reachedAt } = core
  const tokenOf = (id: string) => uploadToken(secret, id)
  return {
    ...createUploads({ log, clock, seen, store, files }),
    maxBytes: settings.UPLOAD_MAX,
    fileOf: (id, type) => uploadName(secret, id, type),
    tokenOf,
    urlOf: (id) => `${reachedAt.url}/uploads/${id}/${tokenOf(id)}`,
  }
}
