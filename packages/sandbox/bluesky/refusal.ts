import type { FastifyError, FastifyReply } from 'fastify'
import type { z } from 'zod'

/** A request refused as an XRPC server would: a status, an error name and a message. */
export class XrpcRefusal extends Error {
  readonly status: number
  readonly error: string

  constructor(status: number, error: string, message: string) {
    super(message)
    this.name = 'XrpcRefusal'
    this.status = status
    this.error = error
  }
}

export function invalid(message: string): XrpcRefusal {
  return new XrpcRefusal(400, 'InvalidRequest', message)
}

export function xrpcError(error: string, message: string): { error: string; message: string } {
  return { error, message }
}

/** @param place what the value is, in the real server's notation: `$` for a body, `$.record` for a record */
export function decode<T>(schema: z.ZodType<T>, value: unknown, place = '$', prefix = ''): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [first] = result.error.issues
  const path = [place, ...(first?.path ?? [])].map(String).join('.')
  throw invalid(`${prefix}${first?.message ?? 'Invalid'} at ${path}`)
}

export function sendXrpcError(error: FastifyError | XrpcRefusal, reply: FastifyReply): FastifyReply {
  if (error instanceof XrpcRefusal) return reply.code(error.status).send(xrpcError(error.error, error.message))
  const status = error.statusCode ?? 500
  if (status === 413) return reply.code(413).send(xrpcError('PayloadTooLargeError', 'request entity too large'))
  if (status === 415) return reply.code(400).send(xrpcError('InvalidRequest', 'Wrong request encoding (Content-Type)'))
  if (status < 500) return reply.code(400).send(xrpcError('SyntaxError', error.message))
  return reply.code(500).send(xrpcError('InternalServerError', 'Internal Server Error'))
}
