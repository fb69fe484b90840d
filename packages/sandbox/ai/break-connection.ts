import type { FastifyReply } from 'fastify'

/** Instead of an answer. */
export function breakConnection(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
