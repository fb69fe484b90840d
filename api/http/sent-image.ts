import type { FastifyReply } from 'fastify'

/** Answers with an image that was made for the request. */
export function sentImage(
  reply: FastifyReply,
  { mimeType, bytes }: { readonly mimeType: string; readonly bytes: Uint8Array },
  cacheControl: string,
): FastifyReply {
  return reply
    .headers({ 'content-type': mimeType, 'cache-control': cacheControl, 'x-content-type-options': 'nosniff' })
    .send(bytes)
}
