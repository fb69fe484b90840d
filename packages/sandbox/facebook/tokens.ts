import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { LedgerAccount } from '../ledger.ts'
import { unknownObject } from '../meta/unknown-object.ts'
import { graphRefusal } from '../meta/refusal.ts'
import { asked, type ById } from '../meta/request.ts'
import { isOver, newToken, readToken } from '../meta/token.ts'
import type { StandInDeps } from '../stand-in.ts'

/** Secret of the default app, used by Pages for which nobody has authorized another one. */
const APP_SECRET = 'the-secret-of-the-sandbox-app'

/** Names of the secrets that hold the Page's token and its person's. */
type TokenKind = 'accessToken' | 'userToken'
const PREFIX = { accessToken: 'EAAP', userToken: 'EAAU' } as const

export interface Caller {
  readonly account: LedgerAccount
  readonly kind: TokenKind
}
export type Call = Caller & { readonly parameters: Readonly<Record<string, string>> }

export function issueTokens(externalId: string, deps: StandInDeps): Readonly<Record<TokenKind, string>> {
  return {
    accessToken: newToken(PREFIX.accessToken, externalId, deps),
    userToken: newToken(PREFIX.userToken, externalId, deps),
  }
}

/** The Page's token for its person: the current one, or a new one when that is revoked. */
export function pageTokenFor(page: LedgerAccount, deps: StandInDeps): string {
  const { accessToken: live = '' } = page.secrets
  if (live !== '') return live
  const { accessToken } = issueTokens(page.externalId, deps)
  deps.ledger.saveAccount({ ...page, secrets: { ...page.secrets, accessToken } })
  return accessToken
}

/** Revokes the token that the caller used. */
export function revoke({ account, kind }: Caller, { ledger }: StandInDeps): void {
  ledger.saveAccount({ ...account, secrets: { ...account.secrets, [kind]: '' } })
}

/**
 * Authenticates by the token in the header or among the parameters.
 *
 * @throws PlatformRefusal
 */
export function authenticate(request: FastifyRequest, deps: StandInDeps): Call {
  const { token, proof, parameters } = asked(request)
  if (token === undefined) {
    const message = 'An active access token must be used to query information about the current user.'
    throw graphRefusal({ code: 2500, message })
  }
  const caller = callerOf(token, deps)
  mustBeProof(proof, token, caller)
  return { ...caller, parameters }
}

/**
 * Like `authenticate`, for a call that only a Page may make.
 *
 * @throws PlatformRefusal
 */
export function authenticatePage(request: FastifyRequest, deps: StandInDeps): Call {
  const call = authenticate(request, deps)
  if (call.kind === 'accessToken') return call
  throw graphRefusal({ code: 190, subcode: 2069032, message: 'User Access Token Is Not Supported' })
}

/**
 * Like `authenticatePage`, for a path that names the Page.
 *
 * @throws PlatformRefusal
 */
export function authenticateOwner(request: FastifyRequest<ById>, deps: StandInDeps): Call {
  const call = authenticatePage(request, deps)
  if (request.params.id === call.account.externalId) return call
  throw unknownObject(request.params.id)
}

/** @throws PlatformRefusal */
export function callerOf(token: string, deps: StandInDeps): Caller {
  const read = readToken('facebook', token, deps)
  if (!read) throw graphRefusal({ code: 190, message: `Malformed access token ${token}` })
  const kind = read.prefix === PREFIX.userToken ? 'userToken' : 'accessToken'
  // A Page's token does not expire.
  const hasEnded = kind === 'userToken' && isOver(read, deps)
  if (hasEnded || read.account.secrets[kind] !== token) throw graphRefusal(EXPIRED)
  return { account: read.account, kind }
}

export const EXPIRED = {
  code: 190,
  subcode: 463,
  message: 'Error validating access token: Session has expired',
} as const

function mustBeProof(given: string | undefined, token: string, { account }: Caller): void {
  const { clientSecret = APP_SECRET } = account.secrets
  if (given === undefined || given === createHmac('sha256', clientSecret).update(token).digest('hex')) return
  throw graphRefusal({ code: 100, message: 'Invalid appsecret_proof provided in the API argument' })
}
