import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import type { MediaFacts, SpooledMedia } from '../../infra/media/media.ts'
import { checkedOptions } from '../kit/checked-options.ts'
import { PlatformError, type Credentials, type PublishHandle, type PublishJob } from '../kit/platform.ts'
import { bodyOf, send, uploadTimeoutMs, type RestCall, type RestIo } from '../kit/rest.ts'
import { settingsOf } from './credentials.ts'
import { refused } from './errors.ts'
import { hostsOf } from './hosts.ts'
import { videoOptions, videoText } from './options.ts'
import { plainId } from '../kit/plain-id.ts'

/*
 * Google's resumable upload. A session stands for one future video. It reports how many bytes have arrived, creates no
 * video before the last byte, and once complete always answers with the same video.
 */

const uploadSchema = z.object({
  sessionUri: z.url(),
  bytes: z.int().positive(),
  type: z.string().min(1),
  startedAt: z.iso.datetime(),
  /** As requested; the account's settings may have changed since. */
  privacyStatus: z.string(),
  /** What was done with the video once it was there: empty, or why it cannot be done. */
  settled: z.object({ thumbnail: z.string(), playlist: z.string() }).partial().optional(),
})
/** An upload session: the handle of the post. */
export type Upload = Readonly<z.infer<typeof uploadSchema>>

export interface Video {
  readonly id: string
  /** ISO 8601 UTC, by YouTube's clock. */
  readonly publishedAt: string
}

export type SessionState =
  | { readonly step: 'complete'; readonly video: Video }
  /** `next` is the first byte that is missing. */
  | { readonly step: 'incomplete'; readonly next: number }
  /** Forgotten by YouTube, after an undocumented time. */
  | { readonly step: 'gone' }

/** A byte range, `end` exclusive. */
export interface Range {
  readonly start: number
  readonly end: number
}

export function uploadOf(handle: PublishHandle | undefined): Upload | undefined {
  return uploadSchema.safeParse(handle).data
}

/** Starts an upload session. Invisible. */
export async function startSession(
  job: PublishJob,
  { bytes, mimeType }: MediaFacts,
  credentials: Credentials,
  token: string,
  io: RestIo,
): Promise<Upload> {
  const options = checkedOptions(videoOptions, job)
  const settings = settingsOf(credentials, options)
  const query = {
    uploadType: 'resumable',
    part: 'snippet,status',
    notifySubscribers: String(settings.notifySubscribers),
  }
  const { categoryId, privacyStatus, madeForKids, containsSyntheticMedia } = settings
  const call: RestCall = {
    method: 'POST',
    url: `${hostsOf(job.account.baseUrl).upload}/videos?${new URLSearchParams(query)}`,
    token,
    headers: {
      'content-type': 'application/json; charset=UTF-8',
      'x-upload-content-length': String(bytes),
      'x-upload-content-type': mimeType,
    },
    json: {
      snippet: { ...videoText(job.text, options), categoryId, ...(options.tags && { tags: options.tags }) },
      status: {
        privacyStatus,
        selfDeclaredMadeForKids: madeForKids,
        ...(containsSyntheticMedia !== undefined && { containsSyntheticMedia }),
      },
    },
  }
  const response = await send('youtube', call, io)
  if (response.status !== 200) throw refused(response, call.effect, io.clock)
  const handle = {
    sessionUri: response.headers['location'],
    bytes,
    type: mimeType,
    startedAt: isoTime(io.clock.now()),
    privacyStatus,
  }
  const upload = uploadOf(handle)
  if (upload) return upload
  throw new PlatformError('retryable', 'YouTube did not return an upload URL for the video.')
}

/** Reads the session's progress without changing it. */
export function probe(upload: Upload, token: string, io: RestIo): Promise<SessionState> {
  const headers = { 'content-range': `bytes */${upload.bytes}` }
  return answered(upload, { method: 'PUT', url: upload.sessionUri, token, headers }, io)
}

/** Sends a chunk. The one with the last byte publishes the video; all others are invisible. */
export function sendChunk(
  upload: Upload,
  media: SpooledMedia,
  { start, end }: Range,
  token: string,
  io: RestIo,
): Promise<SessionState> {
  const { sessionUri: url, bytes, type } = upload
  const call: RestCall = {
    method: 'PUT',
    url,
    token,
    headers: { 'content-range': `bytes ${start}-${end - 1}/${bytes}` },
    content: { type, bytes: end - start, open: () => media.open({ start, end }) },
    timeoutMs: uploadTimeoutMs(end - start),
    effect: end === bytes ? 'visible' : 'hidden',
  }
  return answered(upload, call, io)
}

const videoAnswer = z.object({
  id: plainId,
  snippet: z.object({ publishedAt: z.iso.datetime() }).optional().catch(undefined),
})

async function answered(upload: Upload, call: RestCall, io: RestIo): Promise<SessionState> {
  const response = await send('youtube', call, io)
  switch (response.status) {
    case 200:
    case 201: {
      // The video exists even if the answer cannot be parsed.
      const { id, snippet } = bodyOf('youtube', { ...call, effect: 'visible' }, response, videoAnswer)
      return { step: 'complete', video: { id, publishedAt: snippet?.publishedAt ?? upload.startedAt } }
    }
    case 308:
      return { step: 'incomplete', next: received(response) }
    case 404:
    case 410:
      return { step: 'gone' }
    default:
      throw refused(response, call.effect, io.clock)
  }
}

/** How many bytes have arrived; none without a `Range` header. */
function received({ headers }: HttpResponse): number {
  const last = /^bytes=0-(\d{1,15})$/.exec(headers['range'] ?? '')?.[1]
  return last === undefined ? 0 : Number(last) + 1
}
