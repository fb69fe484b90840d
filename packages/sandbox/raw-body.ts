import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'

const stream = z.custom<AsyncIterable<Buffer>>((body) => body !== undefined && body !== null)

/** Leaves bodies of every type unread, for routes that read them as streams. */
export function takeStreams(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload: Readable, done) => done(null, payload))
}

/** Undefined for a request without a body. */
export function streamOf(body: unknown): AsyncIterable<Buffer> | undefined {
  return stream.safeParse(body).data
}
