import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { LedgerAccount } from '../ledger.ts'
import { graphRefusal } from '../meta/refusal.ts'
import { asked } from '../meta/request.ts'
import { isOver, newToken, readToken } from '../meta/token.ts'
import type { StandInDeps } from '../stand-in.ts'

/** Secret of the default app, used by accounts whose owner has not authorized another one. */
export const APP_SECRET = 'the-secret-of-the-sandbox-app'

/** Names of the secrets that hold the Instagram user token and the token of the linked Page. */
type TokenKind = 'accessToken' | 'pageAccessToken'

export interface Caller {
  readonly account: LedgerAccount
  readonly kind: TokenKind
  readonly issuedAt: number
  /** Of the query and the form, without the credentials. */
  readonly parameters: Readonly<Record<string, string>>
}

export function issueTokens(externalId: string, deps: StandInDeps): Readonly<Record<TokenKind, string>> {
  return { accessToken: newToken('IGAA', externalId, deps), pageAccessToken: newToken('EAA', externalId, deps) }
}

/** Gives the account a new user token and revokes the previous one. */
export function renew({ account }: Caller, deps: StandInDeps): string {
  const { accessToken } = issueTokens(account.externalId, deps)
  deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken } })
  return accessToken
}

/** Revokes the token that the caller used. */
export function revoke({ account, kind }: Pick<Caller, 'account' | 'kind'>, { ledger }: StandInDeps): void {
  ledger.saveAccount({ ...account, secrets: { ...account.secrets, [kind]: '' } })
}

/** @throws PlatformRefusal */
export function authenticate(request: FastifyRequest, deps: StandInDeps): Caller {
  const { token, proof, parameters } = asked(request)
  if (token === undefined) {
    const message = 'An active access token must be used to query information about the current user.'
    throw graphRefusal({ code: 2500, message })
  }
  const read = readToken('instagram', token, deps)
  if (!read) throw graphRefusal({ code: 190, message: `Malformed access token ${token}` })
  const { account, prefix, issuedAt } = read
  const kind = prefix === 'EAA' ? 'pageAccessToken' : 'accessToken'
  if ((kind === 'accessToken' && isOver(read, deps)) || account.secrets[kind] !== token) throw graphRefusal(EXPIRED)
  mustBeProof(proof, token, account)
  return { account, kind, issuedAt, parameters }
}

export const EXPIRED = {
  code: 190,
  subcode: 463,
  message: 'Error validating access token: Session has expired',
} as const

function mustBeProof(given: string | undefined, shown: string, { secrets }: LedgerAccount): void {
  const { clientSecret = APP_SECRET } = secrets
  if (given === undefined || given === createHmac('sha256', clientSecret).update(shown).digest('hex')) return
  throw graphRefusal({ code: 100, message: 'Invalid appsecret_proof provided in the API argument' })
}
