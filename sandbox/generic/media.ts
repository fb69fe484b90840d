import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { fileTypeFromBuffer } from 'file-type'
import { z } from 'zod'
import type { MediaType, PlatformKey } from '../../domain/platform.ts'
import { authenticate } from './tokens.ts'
import { decode, SandboxRefusal } from '../refusal.ts'
import type { StandInDeps } from '../stand-in.ts'

/** As much of a file's beginning as tells its type. */
const HEAD_BYTES = 4_100

const uploadQuery = z.strictObject({ sourceUrl: z.url().max(8_192).optional() })
const uploadBody = z.custom<Readable>((body) => body !== undefined, 'send the media itself')

/** `POST /media`: takes bytes of any number and keeps none of them, only their count, type and SHA-256. */
export function registerMedia(app: FastifyInstance, platform: PlatformKey, deps: StandInDeps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(/^(?:image|video)\//, (_request, payload, done) => done(null, payload))

    scope.post('/media', async (request, reply) => {
      const account = authenticate(platform, request.headers.authorization, deps)
      const { sourceUrl } = decode(uploadQuery, request.query, 'query')
      const { head, bytes, sha256 } = await measure(decode(uploadBody, request.body))
      const mimeType = (await fileTypeFromBuffer(head))?.mime
      const mediaType = mediaTypeOf(mimeType)
      if (mimeType === undefined || mediaType === undefined) {
        throw new SandboxRefusal(400, 'unknown_media_type', 'these bytes are neither an image nor a video')
      }
      if (!request.headers['content-type']?.startsWith(`${mediaType}/`)) {
        throw new SandboxRefusal(400, 'media_type_mismatch', `the content type does not fit: the bytes are ${mimeType}`)
      }
      const media = {
        id: deps.ids.token(),
        platform,
        accountId: account.externalId,
        mediaType,
        mimeType,
        bytes,
        sha256,
      }
      deps.ledger.addMedia(sourceUrl === undefined ? media : { ...media, sourceUrl })
      return reply.code(201).send({ mediaId: media.id, bytes, mimeType, sha256 })
    })
  })

  app.get<{ Params: { id: string } }>('/media/:id', (request, reply) => {
    const media = deps.ledger.media(platform, request.params.id)
    if (!media) throw new SandboxRefusal(404, 'not_found', 'no such media')
    const { id, mediaType, mimeType, bytes, sha256 } = media
    return reply.send({ id, mediaType, mimeType, bytes, sha256 })
  })
}

function mediaTypeOf(mimeType: string | undefined): MediaType | undefined {
  if (mimeType?.startsWith('image/')) return 'image'
  return mimeType?.startsWith('video/') ? 'video' : undefined
}

async function measure(body: Readable): Promise<{ head: Buffer; bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let bytes = 0
  for await (const chunk of body) {
    const part = Buffer.from(chunk)
    hash.update(part)
    bytes += part.length
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, part.subarray(0, HEAD_BYTES - head.length)])
  }
  return { head, bytes, sha256: hash.digest('hex') }
}
