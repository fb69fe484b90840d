import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { send, type Answer } from './answer.ts'

/** A request that a platform refuses, with the answer in its own format. */
export class StandInRefusal extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`)
    this.name = 'StandInRefusal'
    this.answer = answer
  }
}

/**
 * Answers every error of the scope in the platform's format.
 *
 * @param unexpected for what is no refusal: an error of the server itself, or of Fastify for a malformed request
 */
export function handleErrors(
  app: FastifyInstance,
  unexpected: (status: number, message: string) => Answer,
  unknownPath: (request: FastifyRequest) => Answer,
): void {
  app.setErrorHandler<FastifyError | StandInRefusal>((error, _request, reply) =>
    send(reply, error instanceof StandInRefusal ? error.answer : unexpected(error.statusCode ?? 500, error.message)),
  )
  app.setNotFoundHandler((request, reply) => send(reply, unknownPath(request)))
}

/** @throws what `refuse` makes of the invalid fields */
export function decodeOr<T>(schema: z.ZodType<T>, value: unknown, refuse: (error: z.ZodError) => Error): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw refuse(result.error)
}

/** Names every invalid field by its path, or by `whole` when it is not a field. */
export function invalidFields({ issues }: z.ZodError, whole = 'request'): string {
  return issues.map(({ path, message }) => `${path.join('.') || whole}: ${message}`).join('; ')
}
