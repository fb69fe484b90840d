import type { FastifyInstance } from 'fastify'
import { fileTypeFromBuffer } from 'file-type'
import * as z from 'zod'
import { StandInRefusal } from '../stand-in-refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { BODY_LIMIT, mediaFormOf, withMedia, type MediaForm } from './form.ts'
import { decode, invalid, notFound } from './refusal.ts'
import { authenticateFor } from './tokens.ts'
import { uploadsIn, type Session, type UploadShelf } from './upload-sessions.ts'
import { aliveMedia, categoryOf, CATEGORIES, keyOf, LIFETIME_S, mediaKey, takesType } from './uploads.ts'

/** Bytes; X means binary megabytes. */
const MB = 1024 * 1024
const IMAGE_LIMIT = 5 * MB
/** The largest size that X's OpenAPI document allows for any upload. */
const TOTAL_LIMIT = 16 * 1024 * MB
const LIMITS = { tweet_image: IMAGE_LIMIT, tweet_gif: 15 * MB, tweet_video: TOTAL_LIMIT, amplify_video: TOTAL_LIMIT }
/** X documents no limit of a part, but 1,000 of them have to hold the largest video. */
const PART_LIMIT = Math.ceil(TOTAL_LIMIT / 1_000)

const owners = { additional_owners: z.union([z.string(), z.array(z.string())]).optional() }
const oneShot = z.strictObject({ media_category: z.enum(CATEGORIES), ...owners })
const beginning = z.strictObject({
  media_type: z.string(),
  total_bytes: z.coerce.number().int().positive(),
  media_category: z.enum(CATEGORIES).optional(),
  shared: z.unknown().optional(),
  ...owners,
})
const part = z.strictObject({ segment_index: z.string().regex(/^\d{1,3}$/, 'must be from 0 to 999') })
const altText = z.strictObject({ text: z.string().min(1).max(1_000) })
const described = z.strictObject({
  id: z.string(),
  metadata: z.strictObject({ alt_text: altText.optional() }).default({}),
})
const statusQuery = z.strictObject({ command: z.literal('STATUS').optional(), media_id: z.string() })
/** The steps of an upload at the one path that X's guide still shows. */
const step = z.object({ command: z.enum(['INIT', 'APPEND', 'FINALIZE']), media_id: z.string().default('') })

type ById = { Params: { id: string } }
const LARGE = { bodyLimit: BODY_LIMIT }

/** Uploads, in one piece or in parts. Bytes are counted, hashed and discarded. */
export function registerMedia(app: FastifyInstance, shelf: UploadShelf, deps: StandInDeps): void {
  const { ledger } = deps
  const uploads = uploadsIn(shelf, deps)
  const uploader = (authorization: string | undefined) => authenticateFor('media.write', authorization, deps).externalId

  const begin = (accountId: string, given: unknown): object => {
    const { media_type: mimeType, total_bytes: totalBytes, media_category } = decode(beginning, given)
    const category = media_category ?? categoryOf(mimeType)
    if (!category || !takesType(category, mimeType)) throw invalid('media_type', `is not of ${category ?? 'a post'}`)
    if (totalBytes > LIMITS[category]) throw invalid('total_bytes', `at most ${LIMITS[category]}`)
    const { id } = uploads.begin({ accountId, category, mimeType, totalBytes })
    return { data: { id, media_key: mediaKey(id, category), expires_after_secs: LIFETIME_S } }
  }
  const appended = (accountId: string, id: string, form: MediaForm): object => {
    const { fields, media } = withMedia(form)
    const { segment_index: index } = decode(part, fields)
    if (media.length > PART_LIMIT) throw invalid('media', `a part has at most ${PART_LIMIT} bytes`)
    uploads.append(uploads.of(id, accountId), Number(index), media)
    return { data: { expires_at: Math.floor(deps.clock.now() / 1_000) + LIFETIME_S } }
  }
  const finalized = async (accountId: string, id: string): Promise<object> => {
    const upload = uploads.of(id, accountId)
    const { category, bytes: size } = upload
    // Only videos and animated GIFs are processed.
    const processing_info = (await uploads.finish(upload)) ? { state: 'pending', check_after_secs: 1 } : undefined
    const data = { id, media_key: mediaKey(id, category), size, expires_after_secs: LIFETIME_S }
    return { data: { ...data, ...(processing_info && { processing_info }) } }
  }
  const atOnce = async (accountId: string, form: MediaForm): Promise<object> => {
    const { fields, media } = withMedia(form)
    const { media_category: category } = decode(oneShot, fields)
    if (category !== 'tweet_image') throw invalid('media_category', `upload ${category} in parts`)
    const mimeType = (await fileTypeFromBuffer(media))?.mime ?? 'unknown'
    if (!takesType(category, mimeType)) throw invalid('media', 'media type unrecognized.')
    if (media.length > IMAGE_LIMIT)
      throw new StandInRefusal({ status: 413, body: { title: 'Payload Too Large', type: 'about:blank', status: 413 } })
    const hash = deps.files.hash()
    hash.update(media)
    const upload = { accountId, category, mimeType, bytes: media.length, tail: media.subarray(-200) }
    const id = uploads.keep(upload, hash.digest())
    return { data: { id, media_key: mediaKey(id, category), size: media.length, expires_after_secs: LIFETIME_S } }
  }

  app.post('/2/media/upload', LARGE, async (request, reply) => {
    const accountId = uploader(request.headers.authorization)
    const form = mediaFormOf(request.body)
    const { command, media_id: id, ...fields } = form.fields
    if (command === undefined) return reply.send(await atOnce(accountId, form))
    const asked = decode(step, { command, media_id: id })
    switch (asked.command) {
      case 'INIT':
        return reply.code(202).send(begin(accountId, fields))
      case 'APPEND':
        return reply.send(appended(accountId, asked.media_id, { fields, media: form.media }))
      case 'FINALIZE':
        return reply.send(await finalized(accountId, asked.media_id))
    }
  })
  app.post('/2/media/upload/initialize', (request, reply) =>
    reply.send(begin(uploader(request.headers.authorization), request.body)),
  )
  app.post<ById>('/2/media/upload/:id/append', LARGE, (request, reply) =>
    reply.send(appended(uploader(request.headers.authorization), request.params.id, mediaFormOf(request.body))),
  )
  app.post<ById>('/2/media/upload/:id/finalize', async (request, reply) =>
    reply.send(await finalized(uploader(request.headers.authorization), request.params.id)),
  )

  app.post('/2/media/metadata', (request, reply) => {
    const accountId = uploader(request.headers.authorization)
    const { id, metadata } = decode(described, request.body)
    const media = aliveMedia(id, accountId, deps)
    if (media.mediaType !== 'image') throw invalid('id', 'alt text is supported for images and GIFs')
    const { text } = metadata.alt_text ?? {}
    if (text !== undefined) ledger.addMedia({ ...media, details: { ...media.details, altText: text } })
    return reply.send({ data: { id, associated_metadata: metadata } })
  })

  app.get('/2/media/upload', (request, reply) => {
    const accountId = uploader(request.headers.authorization)
    const { media_id: id } = decode(statusQuery, request.query)
    const processing = uploads.look(id, accountId)
    return reply.send({ data: processing ? progress(id, processing) : done(id, accountId) })
  })
  const progress = (id: string, { upload, error }: Session): object => {
    const data = { id, media_key: mediaKey(id, upload.category), size: upload.bytes }
    if (error === undefined) {
      return { ...data, processing_info: { state: 'in_progress', check_after_secs: 1, progress_percent: 50 } }
    }
    const why = { code: 1, name: error, message: `${error} file: not acceptable` }
    return { ...data, processing_info: { state: 'failed', progress_percent: 0, error: why } }
  }
  const done = (id: string, accountId: string): object => {
    const media = aliveMedia(id, accountId, deps)
    const processing_info = { state: 'succeeded', progress_percent: 100 }
    return { id, media_key: keyOf(media), size: media.bytes, processing_info }
  }

  app.get<ById>('/media/:id', (request, reply) => {
    const media = ledger.media('x', request.params.id)
    if (!media) throw notFound('no such media')
    const { mediaType, mimeType, bytes, sha256 } = media
    return reply.send({ mediaType, mimeType, bytes, sha256 })
  })
}
