import { join } from 'node:path'
import { guardedHttp } from '../../infra/http/guarded-http.ts'
import { portOf } from '../../infra/http/outbound-address.ts'
import { outboundPolicy } from '../../infra/http/outbound-guard.ts'
import { convertedMedia, type ConvertedMedia } from '../../infra/media/converted-media.ts'
import { findFfmpeg } from '../../infra/media/ffmpeg.ts'
import { fileStore } from '../../infra/media/file-store.ts'
import { createImageConverter } from '../../infra/media/image-converter.ts'
import { s3Store } from '../../infra/media/s3-store.ts'
import type { SweptMediaStore } from '../../infra/media/store.ts'
import { createVideoConverter } from '../../infra/media/video-converter.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Settings } from '../../infra/runtime/settings.ts'
import { NO_TELEMETRY, type Telemetry } from '../telemetry/telemetry.ts'

export const USER_AGENT = 'Fanfare (+https://github.com/fanfare/fanfare)'
/** Connections to a media store. Each reader of a file may hold one for as long as it takes. */
const MEDIA_CONNECTIONS = 256

/** A bucket gets its own client: its address is the operator's choice and may be private, which no other request may reach. */
export function openMediaStore(
  { media, DATA_DIR }: Settings,
  clock: Clock,
  telemetry: Telemetry = NO_TELEMETRY,
): { store: SweptMediaStore; close(): Promise<void> } {
  if (media.kind === 'files') {
    return { store: fileStore({ directory: join(DATA_DIR, 'media'), clock }), close: async () => undefined }
  }
  const url = new URL(media.bucketUrl)
  const policy = outboundPolicy('', [{ host: url.hostname, port: portOf(url) }])
  const http = guardedHttp({ policy, clock, userAgent: USER_AGENT, maxConnectionsPerOrigin: MEDIA_CONNECTIONS })
  return { store: s3Store(media, { http: telemetry.http(http, 'media-store'), clock }), close: () => http.close() }
}

/** Converts media for platforms that do not take them as they are. `media` is absent if the operator does not want it. */
export function openConverters(
  { CONVERT_MEDIA, FFMPEG_PATH, searchPath, DATA_DIR }: Settings,
  clock: Clock,
): { readonly media: ConvertedMedia | undefined; close(): void } {
  if (CONVERT_MEDIA === 'off') return { media: undefined, close: () => undefined }
  const images = createImageConverter({ clock })
  const ffmpeg = findFfmpeg(FFMPEG_PATH, searchPath)
  const videos = ffmpeg === undefined ? undefined : createVideoConverter({ ffmpeg, clock })
  const close = () => {
    images.close()
    videos?.close()
  }
  return { media: convertedMedia({ directory: join(DATA_DIR, 'converted-images'), images, videos, clock }), close }
}
