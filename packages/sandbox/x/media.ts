import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { fileTypeFromBuffer } from 'file-type'
import { z } from 'zod'
import { StandInRefusal } from '../stand-in-refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { mediaFormOf } from './form.ts'
import { decode, invalid, notFound } from './refusal.ts'
import { authenticate } from './tokens.ts'
import {
  aliveMedia,
  append,
  directiveIn,
  finish,
  ledgerMedia,
  LIFETIME_S,
  keyOf,
  mediaKey,
  takesType,
  type PartialUpload,
} from './uploads.ts'

/** Bytes; X means binary megabytes. */
const MB = 1024 * 1024
const IMAGE_LIMIT = 5 * MB
const LIMITS = { tweet_image: IMAGE_LIMIT, tweet_gif: 15 * MB, tweet_video: 512 * MB }
const PART_LIMIT = 5 * MB

const oneShot = z.strictObject({ media_category: z.literal('tweet_image') })
const beginning = z.strictObject({
  media_type: z.string(),
  total_bytes: z.int().positive(),
  media_category: z.enum(['tweet_image', 'tweet_gif', 'tweet_video']),
})
const part = z.strictObject({
  segment_index: z.string().regex(/^\d{1,3}$/, 'must be from 0 to 999'),
})
const statusQuery = z.strictObject({ command: z.literal('STATUS'), media_id: z.string() })
type Finished = Parameters<typeof ledgerMedia>[0] & Pick<PartialUpload, 'tail'>
type ById = { Params: { id: string } }

/** Uploads in progress, shared by all base paths of the stand-in. */
export interface UploadShelf {
  readonly uploads: Map<string, PartialUpload>
  /** The directives of finished media, by media id, for the posts that show them. */
  readonly directives: Map<string, string>
  newId(taken: (id: string) => boolean): string
}

/** Uploads, in one piece or in parts. Bytes are counted, hashed and discarded. */
export function registerMedia(
  app: FastifyInstance,
  { uploads, directives, newId }: UploadShelf,
  deps: StandInDeps,
): void {
  const { ledger } = deps
  const isTaken = (id: string): boolean => uploads.has(id) || ledger.media('x', id) !== undefined
  const keep = (upload: Finished, sha256: string): void => {
    ledger.addMedia(ledgerMedia(upload, sha256))
    const directive = directiveIn(upload.tail)
    if (directive) directives.set(upload.id, directive.name)
  }
  const own = (id: string, accountId: string): PartialUpload => {
    const upload = uploads.get(id)
    if (upload?.accountId !== accountId) throw notFound(`Could not find media with media_id: [${id}].`)
    return upload
  }

  app.post('/2/media/upload', async (request, reply) => {
    const { externalId: accountId } = authenticate(request.headers.authorization, deps)
    const { fields, media } = mediaFormOf(request.body)
    const { media_category: category } = decode(oneShot, fields)
    const mimeType = (await fileTypeFromBuffer(media))?.mime ?? 'unknown'
    if (!takesType(category, mimeType)) throw invalid('media', 'media type unrecognized.')
    if (media.length > IMAGE_LIMIT)
      throw new StandInRefusal({ status: 413, body: { title: 'Payload Too Large', type: 'about:blank', status: 413 } })
    const id = newId(isTaken)
    const sha256 = createHash('sha256').update(media).digest('hex')
    keep({ id, accountId, category, mimeType, bytes: media.length, tail: media.subarray(-200) }, sha256)
    const data = { id, media_key: mediaKey(id, category), size: media.length, expires_after_secs: LIFETIME_S }
    return reply.send({ data })
  })

  app.post('/2/media/upload/initialize', (request, reply) => {
    const { externalId: accountId } = authenticate(request.headers.authorization, deps)
    const { media_type: mimeType, total_bytes: totalBytes, media_category: category } = decode(beginning, request.body)
    if (!takesType(category, mimeType)) throw invalid('media_type', `is not of ${category}`)
    if (totalBytes > LIMITS[category]) throw invalid('total_bytes', `at most ${LIMITS[category]}`)
    const id = newId(isTaken)
    const none = Buffer.alloc(0)
    const hash = createHash('sha256')
    uploads.set(id, {
      id,
      accountId,
      category,
      mimeType,
      totalBytes,
      hash,
      parts: [],
      head: none,
      tail: none,
      bytes: 0,
    })
    return reply.send({ data: { id, media_key: mediaKey(id, category), expires_after_secs: LIFETIME_S } })
  })

  app.post<ById>('/2/media/upload/:id/append', (request, reply) => {
    const { externalId } = authenticate(request.headers.authorization, deps)
    const upload = own(request.params.id, externalId)
    const { fields, media } = mediaFormOf(request.body)
    const { segment_index: index } = decode(part, fields)
    if (media.length > PART_LIMIT) throw invalid('media', `a part has at most ${PART_LIMIT} bytes`)
    append(upload, Number(index), media)
    return reply.send({ data: { expires_at: Math.floor(deps.clock.now() / 1_000) + LIFETIME_S } })
  })

  app.post<ById>('/2/media/upload/:id/finalize', async (request, reply) => {
    const { externalId } = authenticate(request.headers.authorization, deps)
    const upload = own(request.params.id, externalId)
    await finish(upload)
    const { id, category, bytes: size } = upload
    const processing_info = { state: 'pending', check_after_secs: 1 }
    return reply.send({
      data: { id, media_key: mediaKey(id, category), size, expires_after_secs: LIFETIME_S, processing_info },
    })
  })

  app.get('/2/media/upload', (request, reply) => {
    const { externalId } = authenticate(request.headers.authorization, deps)
    const { media_id: id } = decode(statusQuery, request.query)
    const upload = uploads.get(id)
    if (upload?.accountId === externalId && upload.processing) {
      const { processing } = upload
      const shown = { id, media_key: mediaKey(id, upload.category), size: upload.bytes }
      if (processing.looksLeft > 0) {
        processing.looksLeft -= 1
        const processing_info = { state: 'in_progress', check_after_secs: 1, progress_percent: 50 }
        return reply.send({ data: { ...shown, processing_info } })
      }
      if (processing.error !== undefined) {
        const error = { code: 1, name: processing.error, message: `${processing.error} file: not acceptable` }
        return reply.send({ data: { ...shown, processing_info: { state: 'failed', progress_percent: 0, error } } })
      }
      keep(upload, upload.hash.digest('hex'))
      uploads.delete(id)
    }
    const media = aliveMedia(id, externalId, deps)
    const processing_info = { state: 'succeeded', progress_percent: 100 }
    return reply.send({ data: { id, media_key: keyOf(media), size: media.bytes, processing_info } })
  })

  app.get<ById>('/media/:id', (request, reply) => {
    const media = ledger.media('x', request.params.id)
    if (!media) throw notFound('no such media')
    const { mediaType, mimeType, bytes, sha256 } = media
    return reply.send({ mediaType, mimeType, bytes, sha256 })
  })
}
