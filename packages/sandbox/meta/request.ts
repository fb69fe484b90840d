import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { decode } from './refusal.ts'

/** A route with an id in its path. */
export interface ById {
  Params: { id: string }
}

export interface Asked {
  readonly token: string | undefined
  /** The token, if it was among the parameters. The addresses of next pages repeat it. */
  readonly credentials: Readonly<Record<string, string>>
  readonly proof: string | undefined
  /** Of the query and the body, without the credentials. */
  readonly parameters: Readonly<Record<string, string>>
}

/** In a JSON body, a parameter may be any value; in a form, its JSON. */
const parameters = z
  .record(z.string(), z.unknown())
  .transform((given) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  )

/**
 * Reads the parameters, and the token from the header or the parameters.
 *
 * @throws StandInRefusal
 */
export function asked(request: FastifyRequest): Asked {
  const given = { ...decode(parameters, request.query), ...decode(parameters, request.body ?? {}) }
  const { access_token: parameter, appsecret_proof: proof, ...rest } = given
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? parameter
  return { token, proof, credentials: parameter === undefined ? {} : { access_token: parameter }, parameters: rest }
}
