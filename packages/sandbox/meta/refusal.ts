import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import type { Answer } from '../answer.ts'
import { decodeOr, handleErrors, invalidFields, StandInRefusal } from '../stand-in-refusal.ts'

/** A Graph API error: a code, usually a subcode, and a message for developers. */
export interface Wrong {
  readonly code: number
  readonly subcode?: number
  readonly message: string
  /** Default 400. */
  readonly status?: number
}

export function graphRefusal(wrong: Wrong): StandInRefusal {
  return new StandInRefusal(graphError(wrong))
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

/** @throws StandInRefusal of code 100 that names every invalid parameter */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  return decodeOr(schema, value, (error) => invalid(invalidFields(error)))
}

export function invalid(message: string): StandInRefusal {
  return graphRefusal({ code: 100, message: `(#100) Invalid parameter: ${message}` })
}

/** Reports all errors of the scope in the Graph API's format. */
export function refuseAsGraph(app: FastifyInstance, unknownPath: Pick<Wrong, 'status'>): void {
  handleErrors(
    app,
    (status, message) =>
      graphError(
        status < 500
          ? { code: 100, message: `(#100) ${message}`, status }
          : { code: 1, message: 'An unknown error occurred', status },
      ),
    ({ url }) => {
      const beyond = url.replace(/\?.*/, '').replace(/^\/\w+\/v[\d.]+\/[^/]*/, '')
      return graphError({ ...unknownPath, code: 2500, message: `Unknown path components: ${beyond}` })
    },
  )
}
