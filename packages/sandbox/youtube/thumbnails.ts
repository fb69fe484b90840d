import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Files } from '../files.ts'
import { streamOf, takeStreams } from '../raw-body.ts'
import type { StandInDeps } from '../stand-in.ts'
import { drained } from './chunk.ts'
import { saveExtras } from './extras.ts'
import { decodeQuery } from './query.ts'
import { googleRefusal } from './refusal.ts'
import { readRelated } from './related.ts'
import { authenticateToUpload } from './tokens.ts'

const MAX_BYTES = 50_000_000
const TYPES = ['image/jpeg', 'image/png', 'application/octet-stream']
/** How a JPEG and a PNG begin. */
const SIGNATURES = [Buffer.from([0xff, 0xd8, 0xff]), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])]
const SIZES = { default: [120, 90], medium: [320, 180], high: [480, 360] } as const

const setQuery = z.strictObject({ videoId: z.string().min(1), uploadType: z.enum(['media', 'multipart']) })

/** `POST .../thumbnails/set` with the image, alone or after empty metadata. */
export function registerThumbnails(app: FastifyInstance, deps: StandInDeps): void {
  void app.register(async (scope) => {
    takeStreams(scope)
    scope.post('/upload/youtube/v3/thumbnails/set', async (request, reply) => {
      try {
        const caller = authenticateToUpload(request.headers.authorization, deps)
        const { videoId, uploadType } = decodeQuery(setQuery, request.query)
        const video = deps.ledger.post('youtube', videoId)
        if (!video) throw googleRefusal(404, 'videoNotFound', 'The video cannot be found.')
        if (video.accountId !== caller.externalId) {
          throw googleRefusal(403, 'forbidden', 'The thumbnail cannot be set for the specified video.')
        }
        const { type, start, bytes, sha256 } = await imageOf(request, uploadType, deps.files)
        if (bytes === 0)
          throw googleRefusal(400, 'mediaBodyRequired', 'The request does not include the image content.')
        const isImage = SIGNATURES.some((signature) => start.subarray(0, signature.length).equals(signature))
        if (!TYPES.includes(type) || !isImage || bytes > MAX_BYTES) {
          throw googleRefusal(400, 'invalidImage', 'The provided image content is invalid.')
        }
        saveExtras(video, { thumbnail: { mimeType: type, bytes, sha256 } }, deps)
        const kind = 'youtube#thumbnailSetResponse'
        return reply.send({ kind, etag: sha256, items: [thumbnailsOf(videoId, deps)] })
      } catch (error) {
        await drained(request.body)
        throw error
      }
    })
  })
}

async function imageOf({ body, headers }: FastifyRequest, uploadType: 'media' | 'multipart', files: Files) {
  const hash = createHash('sha256')
  let start = Buffer.alloc(0)
  let bytes = 0
  const take = (part: Buffer): void => {
    if (start.length < 8) start = Buffer.concat([start, part.subarray(0, 8)])
    hash.update(part)
    bytes += part.length
  }
  const stream = streamOf(body) ?? Readable.from([])
  let type = headers['content-type'] ?? ''
  if (uploadType === 'multipart') ({ type } = await readRelated(stream, type, files, take))
  else for await (const part of stream) take(part)
  return { type, start, bytes, sha256: hash.digest('hex') }
}

function thumbnailsOf(videoId: string, { baseUrl }: StandInDeps): object {
  const sizes = Object.entries(SIZES).map(([name, [width, height]]) => {
    return [name, { url: `${baseUrl()}/vi/${videoId}/${name}.jpg`, width, height }] as const
  })
  return Object.fromEntries(sizes)
}
