import { fileTypeFromBuffer } from 'file-type'
import type { FaultOf } from '../meta/containers.ts'
import { HEAD_BYTES } from '../measure.ts'
import { download } from '../meta/download.ts'

/** The error name for invalid media. For a failed download, the only one is that of videos. */
export const faultOf: FaultOf = async ({ mediaUrl: url, mediaType }, closing) => {
  const media = await download(url, { headBytes: HEAD_BYTES, maxBytes: HEAD_BYTES }, closing)
  const isVideo = mediaType === 'video'
  switch (media.is) {
    case 'elsewhere':
      return undefined
    case 'slow':
    case 'unreachable':
      return isVideo ? 'FAILED_DOWNLOADING_VIDEO' : 'UNKNOWN'
    case 'fetched': {
      if ((await fileTypeFromBuffer(media.head))?.mime.startsWith(`${mediaType}/`)) return undefined
      return isVideo ? 'FAILED_PROCESSING_VIDEO' : 'UNKNOWN'
    }
  }
}
