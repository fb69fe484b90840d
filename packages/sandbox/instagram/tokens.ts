import type { FastifyRequest } from 'fastify'
import type { LedgerAccount } from '../ledger.ts'
import { askedWithToken, mustBeProof } from '../meta/caller.ts'
import { USER_PREFIX } from '../meta/facebook-login.ts'
import { graphRefusal } from '../meta/refusal.ts'
import { EXPIRED, isOver, newToken, readToken } from '../meta/token.ts'
import type { StandInDeps } from '../stand-in.ts'

/** Names of the secrets that hold the Instagram user token, the token of the linked Page, and that of the Page's person. */
type TokenKind = 'accessToken' | 'pageAccessToken' | 'userToken'
const PAGE_PREFIX = 'EAA'

export interface Caller {
  readonly account: LedgerAccount
  readonly kind: TokenKind
  readonly issuedAt: number
  /** Of the query and the form, without the credentials. */
  readonly parameters: Readonly<Record<string, string>>
}

export function issueTokens(
  externalId: string,
  deps: StandInDeps,
): Readonly<Record<Exclude<TokenKind, 'userToken'>, string>> {
  return { accessToken: newToken('IGAA', externalId, deps), pageAccessToken: newToken(PAGE_PREFIX, externalId, deps) }
}

/** The account's app-scoped id, which differs from its own. */
export function appScopedId({ externalId }: LedgerAccount): string {
  return `2${externalId.slice(1)}`
}

/** Gives the account a new user token and revokes the previous one. */
export function renew({ account }: Caller, deps: StandInDeps): string {
  const { accessToken } = issueTokens(account.externalId, deps)
  deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken } })
  return accessToken
}

/** The token of the linked Page: the current one, or a new one when that is revoked. */
export function pageTokenFor(account: LedgerAccount, deps: StandInDeps): string {
  const { pageAccessToken: live = '' } = account.secrets
  if (live !== '') return live
  const pageAccessToken = newToken(PAGE_PREFIX, account.externalId, deps)
  deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, pageAccessToken } })
  return pageAccessToken
}

/** @throws StandInRefusal */
export function authenticate(request: FastifyRequest, deps: StandInDeps): Caller {
  const { token, proof, parameters } = askedWithToken(request)
  const read = readToken('instagram', token, deps)
  if (!read) throw graphRefusal({ code: 190, message: `Malformed access token ${token}` })
  const { account, prefix, issuedAt } = read
  const kind = prefix === PAGE_PREFIX ? 'pageAccessToken' : prefix === USER_PREFIX ? 'userToken' : 'accessToken'
  // A Page's token does not expire.
  if ((kind !== 'pageAccessToken' && isOver(read, deps)) || account.secrets[kind] !== token) throw graphRefusal(EXPIRED)
  mustBeProof(proof, token, account)
  return { account, kind, issuedAt, parameters }
}
