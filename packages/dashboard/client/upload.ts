import { errorOf, unreachable } from './api-error.ts'
import { answered, api, attemptName, named } from './client.ts'
import type { MediaType, UploadBody } from './types.ts'

/** Sent with one request: small enough for frequent progress. */
const PART_BYTES = 4 * 1024 * 1024
/** Pauses (ms) before a part is sent again after the connection has failed. */
const PAUSES_MS = [1_000, 3_000, 10_000]

export interface Uploaded {
  readonly id: string
  readonly mediaUrl: string
}

interface Watching {
  readonly keep: boolean
  readonly signal: AbortSignal
  /** Called as soon as the upload exists, to cancel it. */
  onStart(id: string): void
  onProgress(sent: number): void
}

/**
 * Uploads a file in parts. A part whose connection fails is sent again from where it stopped.
 *
 * @throws ApiError
 */
export async function uploadFile(file: File, { keep, signal, onStart, onProgress }: Watching): Promise<Uploaded> {
  const body = { fileName: file.name, contentType: contentTypeOf(file), sizeBytes: file.size, keep }
  const params = named(attemptName())
  const { id, uploadUrl, mediaUrl } = await answered(api.POST('/uploads', { body, params, signal }))
  onStart(id)
  // The page may have been opened at another address than PUBLIC_URL.
  const { pathname } = new URL(uploadUrl)
  let received: number | undefined = 0
  while (received !== undefined) {
    onProgress(received)
    received = await sendPart(pathname, file, received, signal)
  }
  onProgress(file.size)
  return { id, mediaUrl }
}

/** Not all browsers know these, and some systems know them by other names. */
const BY_ENDING: Readonly<Record<string, UploadBody['contentType']>> = {
  heic: 'image/heic',
  heif: 'image/heic',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}
/** For a file picker. */
export const ENDINGS = Object.keys(BY_ENDING).map((ending) => `.${ending}`)

function contentTypeOf({ name, type }: File): UploadBody['contentType'] {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  return BY_ENDING[ending] ?? (type as UploadBody['contentType'])
}

export function mediaTypeOf(file: File): MediaType {
  const type = contentTypeOf(file)
  if (type.startsWith('application/')) return 'document'
  return type.startsWith('video/') ? 'video' : 'image'
}

/** @returns how many bytes have arrived; undefined once the upload is complete */
async function sendPart(path: string, file: File, from: number, signal: AbortSignal): Promise<number | undefined> {
  const end = Math.min(from + PART_BYTES, file.size)
  const put = (range: string, part?: Blob) => sent(path, `bytes ${range}/${file.size}`, part, signal)
  let failure: unknown
  try {
    return await put(`${from}-${end - 1}`, file.slice(from, end))
  } catch (error) {
    failure = error
  }
  for (const pauseMs of PAUSES_MS) {
    if (!(failure instanceof TypeError) || signal.aborted) break
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    try {
      return await put('*')
    } catch (error) {
      failure = error
    }
  }
  throw failure instanceof TypeError && !signal.aborted ? unreachable() : failure
}

/** @throws TypeError when there is no response */
async function sent(path: string, range: string, part: Blob | undefined, signal: AbortSignal) {
  const headers = { 'Content-Range': range }
  const response = await fetch(path, { method: 'PUT', headers, signal, ...(part && { body: part }) })
  if (response.status === 308) {
    const last = /^bytes=0-(\d+)$/.exec(response.headers.get('range') ?? '')?.[1]
    return last === undefined ? 0 : Number(last) + 1
  }
  if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined))
  return undefined
}
