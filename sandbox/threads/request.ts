import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { decode, noSuchField, ThreadsRefusal } from './refusal.ts'
import { authenticate } from './tokens.ts'

/** A route below one of the account's own ids, or `me`. */
export interface ByUser {
  Params: { user: string }
}

const parameters = z.record(z.string(), z.string())

export interface Asked {
  readonly account: LedgerAccount
  readonly token: string
  /** Of the query and the form, without the token. */
  readonly parameters: Readonly<Record<string, string>>
}

/** Whose call it is, and with what parameters. @throws ThreadsRefusal */
export function asked(request: FastifyRequest, deps: StandInDeps): Asked {
  const given = decode(parameters, { ...decode(parameters, request.query), ...decode(parameters, request.body ?? {}) })
  const { access_token: parameter, ...rest } = given
  const token = /^Bearer ([^ ]+)$/.exec(request.headers.authorization ?? '')?.[1] ?? parameter ?? ''
  return { account: authenticate(token, deps), token, parameters: rest }
}

/** As `asked`, of a path that names the account. @throws ThreadsRefusal */
export function askedBy(request: FastifyRequest<ByUser>, deps: StandInDeps): Asked {
  const call = asked(request, deps)
  const { user } = request.params
  if (user === 'me' || user === call.account.externalId) return call
  throw new ThreadsRefusal(400, 10, 'Application does not have permission for this action')
}

/** The fields that are asked for, of those there are; `id` is always among them. @throws ThreadsRefusal */
export function chosen(fields: string | undefined, all: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = ['id', ...(fields ?? '').split(',').filter((name) => name !== '')]
  const unknown = names.find((name) => !Object.hasOwn(all, name))
  if (unknown !== undefined) throw noSuchField(unknown)
  return Object.fromEntries(names.map((name) => [name, all[name]]))
}
