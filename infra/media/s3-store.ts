import * as z from 'zod'
import type { HttpStream } from '../http/http.ts'
import type { S3Bucket } from '../runtime/media-settings.ts'
import { isMediaName, mimeTypeOf } from './media-name.ts'
import { s3Call, type S3Call, type S3Io } from './s3-call.ts'
import { changedMeanwhile, MediaStoreError } from './store-error.ts'
import type { StoredMedia, SweptMediaStore } from './store.ts'

const found = z.object({
  'content-length': z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  etag: z.string().regex(/^"[\x21\x23-\x7e]*"$/),
})

/** A media store in a bucket of any S3-compatible store. Writes are atomic: a file appears whole or not at all. */
export function s3Store(bucket: S3Bucket, io: S3Io): SweptMediaStore {
  const call = s3Call(bucket, io)
  return {
    put: async (name, content, signal) => {
      assertName(name)
      await call({ method: 'PUT', name, content }, content.bytes, signal)
    },
    find: async (name, signal) => {
      assertName(name)
      const head = await call({ method: 'HEAD', name }, 0, signal)
      return head.status === 200 ? stored(call, name, head.headers) : whyNot(call, name, signal)
    },
    delete: async (name, signal) => {
      assertName(name)
      await call({ method: 'DELETE', name }, 0, signal)
    },
    sweep: async () => 0,
  }
}

function stored(call: S3Call, name: string, headers: HttpStream['headers']): StoredMedia {
  const facts = found.safeParse(headers)
  if (!facts.success) throw notUnderstood()
  const { 'content-length': bytes, etag } = facts.data
  return {
    bytes,
    mimeType: mimeTypeOf(name),
    etag,
    open: async (span, signal) => {
      const range = span && { range: `bytes=${span.start}-${span.end - 1}` }
      const length = span ? span.end - span.start : bytes
      const answer = await call({ method: 'GET', name, headers: { 'if-match': etag, ...range } }, length, signal)
      if (answer.status === (span ? 206 : 200) && Number(answer.headers['content-length']) === length)
        return answer.body
      answer.body.destroy()
      throw answer.status === 404 ? changedMeanwhile() : notUnderstood()
    },
  }
}

/** The answer to a HEAD has no body for a reason, so a missing bucket looks like a missing file. A GET tells them apart. */
async function whyNot(call: S3Call, name: string, signal: AbortSignal): Promise<undefined> {
  const answer = await call({ method: 'GET', name, headers: { range: 'bytes=0-0' } }, 0, signal)
  answer.body.destroy()
  if (answer.status !== 404) throw changedMeanwhile()
}

function assertName(name: string): void {
  if (!isMediaName(name)) throw new Error('not the name of a file in the media store')
}

function notUnderstood(): MediaStoreError {
  return new MediaStoreError('the media store failed: its response could not be read', { passes: false })
}
