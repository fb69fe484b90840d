import type { FastifyError, FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Answer } from '../answer.ts'

/** A Graph API error: a code, usually a subcode, and a message for developers. */
export interface Wrong {
  readonly code: number
  readonly subcode?: number
  readonly message: string
  /** Default 400. */
  readonly status?: number
}

/** A request refused in the Graph API's format. */
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

/** @throws GraphRefusal of code 100 that names every invalid parameter */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(result.error.issues.map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`).join('; '))
}

export function invalid(message: string): GraphRefusal {
  return new GraphRefusal({ code: 100, message: `(#100) Invalid parameter: ${message}` })
}

/** Reports all errors of the scope in the Graph API's format. */
export function refuseAsGraph(app: FastifyInstance, unknownPath: Pick<Wrong, 'status'>): void {
  app.setErrorHandler<FastifyError | GraphRefusal>((error, _request, reply) => {
    const { status, body } = graphError(error instanceof GraphRefusal ? error.wrong : wrongOf(error))
    return reply.code(status).send(body)
  })
  app.setNotFoundHandler((request, reply) => {
    const message = `Unknown path components: ${request.url}`
    const { status, body } = graphError({ ...unknownPath, code: 2500, message })
    return reply.code(status).send(body)
  })
}

function wrongOf({ statusCode: status = 500, message }: FastifyError): Wrong {
  if (status < 500) return { code: 100, message: `(#100) ${message}`, status }
  return { code: 1, message: 'An unknown error occurred', status }
}
