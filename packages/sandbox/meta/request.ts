import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { decode } from './refusal.ts'

/** A route with an id in its path. */
export interface ById {
  Params: { id: string }
}

export interface Asked {
  readonly token: string | undefined
  readonly proof: string | undefined
  /** Of the query and the form, without the credentials. */
  readonly parameters: Readonly<Record<string, string>>
}

const parameters = z.record(z.string(), z.string())

/**
 * Reads the parameters, and the token from the header or the parameters.
 *
 * @throws StandInRefusal
 */
export function asked(request: FastifyRequest): Asked {
  const given = { ...decode(parameters, request.query), ...decode(parameters, request.body ?? {}) }
  const { access_token: parameter, appsecret_proof: proof, ...rest } = given
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? parameter
  return { token, proof, parameters: rest }
}
