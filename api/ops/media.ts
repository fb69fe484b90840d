import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { Refusal } from '../../domain/core/errors.ts'
import { isMediaName } from '../../infra/media/media-name.ts'
import { MEDIA_PATH } from '../../infra/media/media-url.ts'
import { MediaStoreError } from '../../infra/media/store-error.ts'
import type { MediaStore, StoredMedia } from '../../infra/media/store.ts'
import { parseRange } from '../../infra/runtime/byte-range.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { downloads } from '../v1/videos/downloads.ts'
import { listsTag } from '../http/etag.ts'
import { otherMethods } from '../http/methods.ts'

/** A file never changes, but may be deleted, so copies expire after an hour. */
const CACHE_CONTROL = 'public, max-age=3600'
const RETRY_AFTER_S = 10
const path = z.object({ name: z.string() })

/**
 * `/media/<name>`: the files that the service has made or that were uploaded, for anyone with the URL. Names cannot be guessed, so no key is needed:
 * platforms and browsers fetch them directly.
 */
export function mediaRoutes(
  app: FastifyInstance,
  { store, clock, logger }: { readonly store: MediaStore; readonly clock: Clock; readonly logger: Logger },
): void {
  const underWay = downloads(app, clock)
  const url = `${MEDIA_PATH}/:name`
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      const left = underWay.begin(reply)
      try {
        return await answered(request, reply, store, left)
      } catch (error) {
        // A client that has disconnected is not an error.
        if (!(error instanceof MediaStoreError) && !left.aborted) throw error
        if (!left.aborted) {
          logger.error({ err: error, requestId: request.id }, 'a file in the media store could not be served')
        }
        return unavailable(reply, request.id, 'The file could not be read. Try again later.')
      }
    },
  })
  otherMethods(app, url, ['GET'])
}

async function answered(
  request: FastifyRequest,
  reply: FastifyReply,
  store: MediaStore,
  left: AbortSignal,
): Promise<FastifyReply> {
  const { name } = path.parse(request.params)
  const media = isMediaName(name) ? await store.find(name, left) : undefined
  if (!media) throw new Refusal('not_found', 'No such file.')
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers
  if (match !== undefined && !listsTag(match, media.etag, 'strong')) return reply.code(412).send()
  if (noneMatch !== undefined && listsTag(noneMatch, media.etag, 'weak')) {
    return reply.code(304).headers(cachedBy(media)).send()
  }
  return sent(request, reply, media, left)
}

/** Only GET may request a range (RFC 9110 §14.2), and with `If-Range` only of this very file (§13.1.5). */
async function sent(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  media: StoredMedia,
  left: AbortSignal,
): Promise<FastifyReply> {
  const { range: asked, 'if-range': ifRange } = headers
  const ranged = method === 'GET' && (ifRange === undefined || ifRange === media.etag)
  const range = ranged ? parseRange(asked, media.bytes) : undefined
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${media.bytes}`).send()
  const span = range && { start: range.first, end: range.last + 1 }
  const body = method === 'GET' ? await media.open(span, left) : undefined
  if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${media.bytes}`)
  return reply
    .headers({
      ...cachedBy(media),
      'accept-ranges': 'bytes',
      'content-type': media.mimeType,
      'content-length': span ? span.end - span.start : media.bytes,
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
    })
    .send(body)
}

function cachedBy({ etag }: StoredMedia): Readonly<Record<string, string>> {
  return { etag, 'cache-control': CACHE_CONTROL }
}

/** The media store cannot be used. */
export function unavailable(reply: FastifyReply, requestId: string, message: string): FastifyReply {
  return reply
    .code(503)
    .headers({ 'retry-after': RETRY_AFTER_S, 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send({ error: { code: 'internal_error', message, requestId } })
}
