import type { FastifyError, FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { Answer } from '../answer.ts'

/** What the Graph API says is wrong: a code, mostly a subcode, and words for developers. */
export interface Wrong {
  readonly code: number
  readonly subcode?: number
  readonly message: string
  /** Default 400. */
  readonly status?: number
}

/** A request refused in the words of the Graph API. */
export class GraphRefusal extends Error {
  readonly wrong: Wrong

  constructor(wrong: Wrong) {
    super(wrong.message)
    this.name = 'GraphRefusal'
    this.wrong = wrong
  }
}

export function graphError({ code, subcode, message, status = 400 }: Wrong): Answer {
  const error = {
    message,
    type: 'OAuthException',
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    is_transient: status >= 500,
    fbtrace_id: 'AsAnD8oX4aCe',
  }
  return { status, body: { error } }
}

export function unknownObject(id: string): GraphRefusal {
  const message = `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`
  return new GraphRefusal({ code: 100, subcode: 33, message })
}

/** @throws GraphRefusal of code 100 that names what is wrong first */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [first] = result.error.issues
  const where = first?.path.join('.') ?? ''
  throw new GraphRefusal({ code: 100, message: `(#100) Invalid parameter ${where}: ${first?.message ?? 'wrong'}` })
}

export function sendGraphError(error: FastifyError | GraphRefusal, reply: FastifyReply): FastifyReply {
  const wrong =
    error instanceof GraphRefusal
      ? error.wrong
      : (error.statusCode ?? 500) < 500
        ? { code: 100, message: `(#100) ${error.message}` }
        : { code: 1, message: 'An unknown error occurred', status: 500 }
  const { status, body } = graphError(wrong)
  return reply.code(status).send(body)
}
