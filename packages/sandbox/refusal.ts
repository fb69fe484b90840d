import type { FastifyError, FastifyReply } from 'fastify'
import type * as z from 'zod'
import { decodeOr, invalidFields } from './stand-in-refusal.ts'

/** A request that the sandbox refuses, in the format of its control endpoints. */
export class SandboxRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'SandboxRefusal'
    this.status = status
    this.code = code
  }
}

/** @throws SandboxRefusal 400 that names every invalid field by its path */
export function decode<T>(schema: z.ZodType<T>, value: unknown, what = 'body'): T {
  const refuse = (error: z.ZodError) => new SandboxRefusal(400, 'invalid_request', invalidFields(error, what))
  return decodeOr(schema, value, refuse)
}

/** @throws SandboxRefusal 400 for an account id that the platform could not have issued */
export function mustBeAccountId(externalId: string, form: RegExp, words: string): void {
  if (!form.test(externalId)) throw new SandboxRefusal(400, 'invalid_request', `externalId: must be ${words}`)
}

export function errorBody(code: string, message: string): { error: { code: string; message: string } } {
  return { error: { code, message } }
}

/** The error handler of the control endpoints. */
export function sendError(error: FastifyError | SandboxRefusal, reply: FastifyReply): FastifyReply {
  if (error instanceof SandboxRefusal) return reply.code(error.status).send(errorBody(error.code, error.message))
  const status = error.statusCode ?? 500
  const code = status === 415 ? 'unsupported_content_type' : status < 500 ? 'invalid_request' : 'server_error'
  return reply.code(status).send(errorBody(code, error.message))
}
