import type { FastifyError, FastifyReply } from 'fastify'
import type { z } from 'zod'

/** A refusal in X's format: a problem (RFC 7807), or an error of its token endpoint. */
export class XRefusal extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, body: object) {
    super(`refused with ${status}`)
    this.name = 'XRefusal'
    this.status = status
    this.body = body
  }
}

const PROBLEMS = 'https://api.x.com/2/problems'

export function problem(status: number, title: string, detail: string, name?: string): XRefusal {
  const type = name === undefined ? 'about:blank' : `${PROBLEMS}/${name}`
  return new XRefusal(status, { title, detail, type, status })
}

/** Names the parameter, as X does for invalid input. */
export function invalid(parameter: string, message: string): XRefusal {
  return new XRefusal(400, {
    errors: [{ parameters: { [parameter]: [] }, message }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: `${PROBLEMS}/invalid-request`,
  })
}

export const unauthorized = (): XRefusal => problem(401, 'Unauthorized', 'Unauthorized')
export const forbidden = (detail: string): XRefusal => problem(403, 'Forbidden', detail)
export const notFound = (detail: string): XRefusal => problem(404, 'Not Found Error', detail, 'resource-not-found')

/** The error that X returns with status 200, alongside the data or instead of it. */
export function missing(type: 'tweet' | 'user', parameter: string, value: string): object {
  return {
    value,
    detail: `Could not find ${type} with ${parameter}: [${value}].`,
    title: 'Not Found Error',
    resource_type: type,
    parameter,
    resource_id: value,
    type: `${PROBLEMS}/resource-not-found`,
  }
}

/** @throws XRefusal 400 that names the first invalid parameter */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  throw invalid(unknown ?? issue?.path.join('.') ?? 'body', issue?.message ?? 'is not valid')
}

export function sendRefusal(error: FastifyError | XRefusal, reply: FastifyReply): FastifyReply {
  if (error instanceof XRefusal) return reply.code(error.status).send(error.body)
  const status = error.statusCode ?? 500
  const title = status < 500 ? 'Invalid Request' : 'Internal Server Error'
  return reply.code(status).send({ title, detail: error.message, type: 'about:blank', status })
}
