import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Parses `multipart/form-data` without files, as well as form-encoded bodies. */
export function takeMultipartForms(app: FastifyInstance): void {
  takeForms(app)
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      // A malformed body has no fields, which the endpoint then misses.
      const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => new FormData())
      return Object.fromEntries(form)
    },
  )
}

/** Parses form-encoded bodies. */
export function takeForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}
