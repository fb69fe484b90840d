import { completeUpload, failUpload, noUpload } from '../../commands/media.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { uploadTypeOf } from '../../domain/core/upload.ts'
import { isLiveMedia, media, type LiveMedia, type MediaEvent } from '../../domain/media/media.ts'
import type { SentPart, UploadProgress, Uploads } from '../../domain/media/uploads.ts'
import { startDeadline } from '../../infra/http/deadline.ts'
import { NotMedia } from '../../infra/media/media-facts.ts'
import type { PartialFiles } from '../../infra/media/partial-files.ts'
import { MediaStoreError } from '../../infra/media/store-error.ts'
import type { MediaStore } from '../../infra/media/store.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { createShares } from '../../infra/runtime/shares.ts'

export interface UploadDeps extends CommandDeps {
  readonly files: PartialFiles
  readonly store: MediaStore
  readonly seen: Pick<Seen, 'waitFor'>
}

/** How many files a process receives at once. */
const RECEIVED_AT_ONCE = 64
const RETRY_AFTER_S = 5
/** For moving a complete file to the media store (ms). */
export const STORE_TIMEOUT_MS = 10 * 60_000
/** How long (ms) a file is kept that nothing uses. */
export const UNUSED_MS = 7 * 86_400_000

type Uploading = Extract<LiveMedia, { status: 'uploading' }>
type Stored = Extract<MediaEvent, { type: 'UploadCompleted' }>['data']

/**
 * Receives files: first into a partial file, then, once its content is checked, into the media store. The event comes last, so
 * that after a crash the same request completes the upload, and until then the agenda has its file to delete.
 */
export function createUploads(deps: UploadDeps): Uploads {
  const { log, clock, files } = deps
  const shares = createShares(RECEIVED_AT_ONCE)
  const busy = new Set<string>()

  const received = async (
    id: string,
    upload: Uploading,
    part: SentPart,
    content: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<UploadProgress> => {
    if (part.kind !== 'status') await append(files, id, upload.sizeBytes, part, content, signal)
    const size = await files.size(id)
    if (size < upload.sizeBytes) {
      if (size > 0) await files.sync(id)
      return { status: 'incomplete', received: size }
    }
    return completed(deps, id, upload, signal)
  }

  return {
    receive: async (id, part, content, signal) => {
      const state = await load(log, media, id)
      if (!isLiveMedia(state)) throw noUpload()
      if (state.status === 'failed') {
        throw new Refusal('failed_precondition', `This upload has failed: ${state.error} Start another upload.`)
      }
      mustFit(state.sizeBytes, part)
      if (state.status === 'ready') return { status: 'complete', isNew: false, media: state }
      if (clock.now() >= Date.parse(state.expiresAt)) throw noUpload()
      if (busy.has(id)) {
        if (part.kind === 'status') return { status: 'incomplete', received: await files.size(id) }
        throw new Refusal('failed_precondition', 'Another request is sending this file. Wait for it to end.')
      }
      const giveBack = shares.take(state.workspaceId)
      if (!giveBack) {
        const message = `Too many files are being uploaded. Retry in ${RETRY_AFTER_S} seconds.`
        throw new Refusal('rate_limit_exceeded', message, { retryAfterS: RETRY_AFTER_S })
      }
      busy.add(id)
      try {
        return await received(id, state, part, content, signal)
      } finally {
        busy.delete(id)
        giveBack()
      }
    },
    mustFit: async (bytes) => {
      try {
        await files.mustFit(bytes)
      } catch (error) {
        if (!(error instanceof MediaStoreError)) throw error
        throw new Refusal('resource_exhausted', `The file cannot be uploaded now: ${error.message}.`)
      }
    },
  }
}

/** @throws Refusal naming the header that contradicts the announced size */
function mustFit(sizeBytes: number, part: SentPart): void {
  const announced = `the upload was announced with sizeBytes ${sizeBytes}`
  if (part.kind === 'whole') {
    if (part.bytes === undefined || part.bytes === sizeBytes) return
    throw new Refusal('invalid_request', `Content-Length is ${part.bytes}, but ${announced}`)
  }
  if (part.total !== undefined && part.total !== sizeBytes) {
    throw new Refusal('invalid_request', `Content-Range has a total of ${part.total}, but ${announced}`)
  }
  if (part.kind === 'part' && part.last >= sizeBytes) {
    throw new Refusal('invalid_request', `Content-Range ends at byte ${part.last}, but ${announced}`)
  }
}

/** Adds what is new. What comes too early, after a gap, is left alone: the answer says what is missing. */
async function append(
  files: PartialFiles,
  id: string,
  sizeBytes: number,
  part: Exclude<SentPart, { kind: 'status' }>,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const [first, last] = part.kind === 'whole' ? [0, sizeBytes - 1] : [part.first, part.last]
  // Not cut to nothing: the media store may have the same file by now.
  if (part.kind === 'whole') await files.delete(id)
  const size = await files.size(id)
  if (first > size) return
  await files.write(id, size, within(content, size - first, last + 1 - first), signal)
}

/** The content without the bytes that have arrived before. @throws Refusal if there is more than announced */
async function* within(content: AsyncIterable<Uint8Array>, skip: number, length: number): AsyncGenerator<Uint8Array> {
  let position = 0
  for await (const chunk of content) {
    const from = Math.max(0, skip - position)
    position += chunk.length
    if (position > length) throw new Refusal('invalid_request', `the body has more than the announced ${length} bytes`)
    if (from < chunk.length) yield chunk.subarray(from)
  }
}

async function completed(
  deps: UploadDeps,
  id: string,
  upload: Uploading,
  signal: AbortSignal,
): Promise<UploadProgress> {
  const { clock, files, store, seen } = deps
  const causedBy = (step: string) =>
    ({ commandId: derivedId(step, id), actor: { kind: 'reactor', id: 'upload' }, correlationId: id }) as const
  const checked = await checkedContent(deps, id, upload, signal)
  if ('problem' in checked) {
    const { problem } = checked
    const { position } = await handle(deps, media, id, causedBy('fail upload'), (state) => failUpload(state, problem))
    await files.delete(id)
    if (position !== undefined) await seen.waitFor(position)
    throw new Refusal('invalid_request', `${problem} Nothing is kept; start another upload.`)
  }
  const late = { kind: 'timeout', message: 'the media store took too long' } as const
  const stop = { kind: 'aborted', message: 'the client has left' } as const
  const deadline = startDeadline(clock, STORE_TIMEOUT_MS, late, [{ signal, stop }])
  try {
    await store.put(upload.file, files.content(id, upload.sizeBytes), deadline.signal)
  } finally {
    deadline.end()
  }
  const stored = { ...checked.stored, unusedUntil: isoTime(clock.now() + UNUSED_MS) }
  const ended = await handle(deps, media, id, causedBy('complete upload'), (state) => completeUpload(state, stored))
  await files.delete(id)
  if (ended.position !== undefined) await seen.waitFor(ended.position)
  if (ended.state.status !== 'ready') throw noUpload()
  return { status: 'complete', isNew: true, media: ended.state }
}

/** What the content is, or why it is not what was announced. */
async function checkedContent(
  { files }: UploadDeps,
  id: string,
  { contentType, sha256: expected }: Uploading,
  signal: AbortSignal,
): Promise<{ readonly stored: Omit<Stored, 'unusedUntil'> } | { readonly problem: string }> {
  const facts = await files.facts(id).catch((error: unknown) => {
    if (error instanceof NotMedia) return error
    throw error
  })
  if (facts instanceof NotMedia) return { problem: `The file is ${facts.message}, but contentType is ${contentType}.` }
  const { mediaType, mimeType, width, height, durationMs } = facts
  if (uploadTypeOf(mimeType) !== contentType) {
    return { problem: `The file is ${mimeType}, but contentType is ${contentType}.` }
  }
  // The disk is slower than the hash: the media store, in the same folder, then has little left to sync.
  const [sha256] = await Promise.all([files.sha256(id, signal), files.sync(id)])
  if (expected !== undefined && sha256 !== expected) {
    return { problem: `The SHA-256 of the file is ${sha256}, but sha256 is ${expected}.` }
  }
  return {
    stored: {
      ...{ mediaType, sha256 },
      ...(width !== undefined && height !== undefined && { width, height }),
      ...(durationMs !== undefined && { durationMs }),
    },
  }
}
