import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { noUpload } from '../../commands/media.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { SentPart, UploadServices } from '../../domain/media/uploads.ts'
import { MediaStoreError } from '../../infra/media/store-error.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { otherMethods } from '../http/methods.ts'
import { presentReady } from '../v1/media/present-media.ts'
import { downloads } from '../v1/videos/downloads.ts'
import { unavailable } from './media.ts'

const path = z.object({ id: z.string(), token: z.string() })
const PART = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/
const STATUS = /^bytes \*\/(\d{1,15}|\*)$/

/**
 * `PUT /uploads/<id>/<token>`: the bytes of an upload, for anyone with the URL, in one or several requests as in Google's resumable
 * uploads. 308 says what has arrived; 200 or 201 that the upload is complete.
 *
 * @param receiving called with a request whose body may take longer than others
 */
export function uploadRoutes(
  app: FastifyInstance,
  {
    uploads,
    mediaUrlOf,
    clock,
    logger,
    receiving,
  }: {
    readonly uploads: UploadServices
    readonly mediaUrlOf: (file: string) => string
    readonly clock: Clock
    readonly logger: Logger
    readonly receiving: (request: FastifyRequest) => void
  },
): void {
  const underWay = downloads(app, clock)
  // The body is read as it arrives.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  const url = '/uploads/:id/:token'
  app.route({
    method: 'PUT',
    url,
    handler: async (request, reply) => {
      const { id, token } = path.parse(request.params)
      const expected = Buffer.from(uploads.tokenOf(id))
      const given = Buffer.from(token)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw noUpload()
      const part = sentPart(request.headers)
      const left = underWay.begin(reply)
      receiving(request)
      try {
        const progress = await uploads.receive(id, part, request.raw, left)
        if (progress.status === 'incomplete') return incomplete(reply, progress.received)
        const body = { ...presentReady(id, progress.media, mediaUrlOf), requestId: request.id }
        return await reply.code(progress.isNew ? 201 : 200).send(body)
      } catch (error) {
        if (error instanceof Refusal) throw error
        // A client that has disconnected is not an error, and what it has sent is kept.
        const hasLeft = left.aborted || request.raw.destroyed
        if (!(error instanceof MediaStoreError) && !hasLeft) throw error
        if (!hasLeft) logger.error({ err: error, requestId: request.id }, 'an upload could not be stored')
        return unavailable(reply, request.id, 'The file could not be stored. Resume the upload later.')
      }
    },
  })
  otherMethods(app, url, ['PUT'])
}

function incomplete(reply: FastifyReply, received: number): FastifyReply {
  if (received > 0) reply.header('range', `bytes=0-${received - 1}`)
  return reply.code(308).header('cache-control', 'no-store').send()
}

/** @throws Refusal naming the header */
function sentPart(headers: FastifyRequest['headers']): SentPart {
  const { 'content-range': range, 'content-length': length } = headers
  const bytes = length === undefined ? undefined : Number(length)
  if (range === undefined) return { kind: 'whole', bytes }
  const [, asked] = STATUS.exec(range) ?? []
  if (asked !== undefined) return { kind: 'status', total: totalIn(asked) }
  const [, first = '', last = '', total = ''] = PART.exec(range) ?? []
  const part = { kind: 'part', first: Number(first), last: Number(last), total: totalIn(total) } as const
  if (first === '' || part.last < part.first) {
    const forms = 'bytes 0-8388607/20000000, or bytes */20000000 to ask what has arrived'
    throw new Refusal('invalid_request', `Content-Range must be such as ${forms}`)
  }
  const span = part.last - part.first + 1
  if (bytes !== undefined && bytes !== span) {
    throw new Refusal('invalid_request', `Content-Length is ${bytes}, but Content-Range has ${span} bytes`)
  }
  return part
}

function totalIn(text: string): number | undefined {
  return text === '*' ? undefined : Number(text)
}
