import type { FastifyInstance } from 'fastify'
import { MEDIA_PATH } from '../../infra/media/media-url.ts'
import { otherMethods } from '../http/methods.ts'

/** The files by which platforms verify that a domain, or the media below it, belong to the operator of this service. */
export function verificationRoutes(app: FastifyInstance, files: ReadonlyMap<string, string>): void {
  for (const [name, content] of files) {
    const type = name.endsWith('.html') ? 'text/html' : 'text/plain'
    for (const url of [`/${name}`, `${MEDIA_PATH}/${name}`]) {
      app.get(url, (_request, reply) => reply.type(`${type}; charset=utf-8`).send(content))
      otherMethods(app, url, ['GET'])
    }
  }
}
