import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FileHash } from '../files.ts'
import { streamOf, takeStreams } from '../raw-body.ts'
import type { StandInDeps } from '../stand-in.ts'
import { PART_BYTES, rangeOf } from './actions.ts'
import type { Assets, Upload } from './assets.ts'
import { number } from './identity.ts'
import { measure, type Measured } from './measure.ts'
import { refuse } from './refusal.ts'
import { mayPost } from './request.ts'
import { authenticate } from './tokens.ts'

/** No limit is documented for images. */
const MOST_BYTES = { image: 200_000_000, document: 100_000_000 }

/** Upload targets: an image or a document in one authenticated request, a video in parts whose URLs need no token. */
export function registerUploads(app: FastifyInstance, assets: Assets, deps: StandInDeps): void {
  const open = (urn: string): Upload => {
    const upload = assets.upload(urn)
    if (!upload) throw refuse(404, 'NOT_FOUND', 'No such upload')
    if (upload.urlsExpireAt <= deps.clock.now()) throw refuse(403, 'EXPIRED_UPLOAD_URL', 'The upload URL has expired')
    return upload
  }

  void app.register(async (scope) => {
    takeStreams(scope)

    scope.put<{ Params: { urn: string } }>('/dms-uploads/:urn', async (request, reply) => {
      const upload = open(request.params.urn)
      mayPost(authenticate(request.headers.authorization, deps), upload.owner, 'owner', deps)
      if (upload.mediaType === 'video') throw refuse(403, 'ACCESS_DENIED', 'Not allowed')
      if (assets.media(upload.urn)) throw refuse(409, 'CONFLICT', `The ${upload.mediaType} is there`)
      assets.complete(upload, await measured(request, deps.files.hash(), MOST_BYTES[upload.mediaType]))
      return reply.code(201).send()
    })

    scope.put<{ Params: { urn: string; part: string } }>('/dms-uploads/:urn/:part', async (request, reply) => {
      const upload = open(request.params.urn)
      const part = Number(request.params.part)
      const { firstByte, lastByte } = rangeOf(upload, part)
      if (upload.mediaType !== 'video' || !(lastByte >= firstByte)) throw refuse(404, 'NOT_FOUND', 'No such part')
      if (request.headers.authorization !== undefined) throw refuse(400, 'BAD_REQUEST', 'Send no token here')
      if (request.headers['content-type'] !== 'application/octet-stream') {
        throw refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send application/octet-stream')
      }
      // Several parts are not put together.
      const isWhole = upload.fileSizeBytes <= PART_BYTES
      const content = await measured(request, deps.files.hash(isWhole), PART_BYTES)
      if (content.bytes !== lastByte - firstByte + 1) throw refuse(400, 'BAD_REQUEST', 'Not the bytes of this part')
      const etag = `/ambry-video/signedId/${number(deps.ids.token())}`
      upload.parts.set(part, { ...content, etag })
      return reply.header('etag', `"${etag}"`).send()
    })
  })

  // The real server returns the bytes, at another path.
  app.get<{ Params: { urn: string } }>('/media/:urn', (request, reply) => {
    const media = assets.media(request.params.urn)
    if (!media) throw refuse(404, 'NOT_FOUND', 'No such media')
    const { mediaType, mimeType, bytes, sha256 } = media
    return reply.send({ mediaType, mimeType, bytes, sha256 })
  })
}

function measured({ body }: FastifyRequest, hash: FileHash, most: number): Promise<Measured> {
  const content = streamOf(body)
  if (!content) throw refuse(400, 'BAD_REQUEST', 'Send the bytes, with their content type')
  return measure(content, hash, most)
}
