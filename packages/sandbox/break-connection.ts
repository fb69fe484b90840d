import type { FastifyReply } from 'fastify'

/** Drops the connection without answering. */
export function breakConnection(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
