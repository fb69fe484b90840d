import * as z from 'zod'
import type { SpooledMedia } from '../../infra/media/media.ts'
import { multipart } from '../kit/multipart.ts'
import { PlatformError, type PlatformErrorKind, type PlatformIo } from '../kit/platform.ts'
import { send, uploadTimeoutMs } from '../kit/rest.ts'
import type { Api } from './api.ts'

/** Fields go into the form unescaped, where a line break could inject another field. */
const oneLine = z.string().regex(/^[^\r\n]*$/)
const registered = z.object({
  media_id: z.string().regex(/^\d{1,32}$/),
  upload_url: z.url({ protocol: /^https?$/ }),
  upload_parameters: z.record(oneLine.regex(/^[^"]+$/), oneLine),
})

/** Registers a video and uploads it. Both are invisible and may be repeated. @returns its media id */
export async function uploadVideo(media: SpooledMedia, api: Api, io: PlatformIo): Promise<string> {
  const json = { media_type: 'video' }
  const { media_id, upload_url, upload_parameters } = await api({ method: 'POST', path: '/media', json }, registered)
  const { bytes, mimeType } = media.facts
  const file = { name: 'file', fileName: 'video', type: mimeType, bytes, open: () => media.open() }
  const content = multipart(upload_parameters, file)
  // The form itself is signed; S3 refuses an additional token.
  const call = { method: 'POST', url: upload_url, content, timeoutMs: uploadTimeoutMs(bytes) } as const
  const { status, text } = await send('pinterest', call, io)
  if (status < 200 || status > 299) throw notTaken(status, text())
  return media_id
}

/** Refusals of Pinterest's upload storage (Amazon S3); `code` is S3's error code. */
const REFUSALS: readonly { readonly status: number; readonly code?: string; readonly kind: PlatformErrorKind }[] = [
  { status: 400, code: 'EntityTooLarge', kind: 'permanent' },
  { status: 400, code: 'RequestTimeout', kind: 'retryable' },
  // For example an expired signature; the next attempt registers the video again.
  { status: 403, kind: 'retryable' },
  { status: 408, kind: 'retryable' },
  { status: 429, kind: 'retryable' },
]

function notTaken(status: number, xml: string): PlatformError {
  const code = /<Code>(\w{1,100})<\/Code>/.exec(xml)?.[1]
  const rule = REFUSALS.find((each) => each.status === status && (each.code === undefined || each.code === code))
  const kind = rule?.kind ?? (status >= 500 ? 'retryable' : 'permanent')
  const named = code === undefined ? `HTTP ${status}` : `HTTP ${status}, ${code}`
  return new PlatformError(kind, `Pinterest's storage did not accept the video (${named}).`)
}
