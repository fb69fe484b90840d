import type { FastifyRequest } from 'fastify'
import type { LedgerAccount } from '../ledger.ts'
import { askedWithToken, mustBeProof } from '../meta/caller.ts'
import { graphRefusal } from '../meta/refusal.ts'
import type { Asked, ById } from '../meta/request.ts'
import { isOffLimits } from '../meta/roles.ts'
import { EXPIRED, isOver, newToken, readToken } from '../meta/token.ts'
import { unknownObject } from '../meta/unknown-object.ts'
import type { StandInDeps } from '../stand-in.ts'

/** Names of the secrets that hold the Page's token and its person's. */
type TokenKind = 'accessToken' | 'userToken'
const PREFIX = { accessToken: 'EAAP', userToken: 'EAAU' } as const

const REVIEW = 'https://developers.facebook.com/docs/apps/review/login-permissions#manage-pages'
const UNREADABLE = graphRefusal({
  code: 10,
  message: `(#10) This endpoint requires the 'pages_read_engagement' permission or the 'Page Public Content Access' feature. Refer to ${REVIEW} for details.`,
})
const UNPOSTABLE = graphRefusal({
  code: 200,
  message:
    '(#200) If posting to a page, requires both pages_read_engagement and pages_manage_posts as an admin with sufficient administrative permission',
})

export interface Caller {
  readonly account: LedgerAccount
  readonly kind: TokenKind
  readonly credentials: Asked['credentials']
}
export type Call = Caller & Pick<Asked, 'parameters'>

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

/**
 * Authenticates by the token in the header or among the parameters.
 *
 * @throws StandInRefusal
 */
export function authenticate(request: FastifyRequest, deps: StandInDeps): Call {
  const { token, proof, credentials, parameters } = askedWithToken(request)
  const caller = callerOf(token, deps)
  mustBeProof(proof, token, caller.account)
  if (isOffLimits(caller.account, 'facebook', deps)) throw request.method === 'GET' ? UNREADABLE : UNPOSTABLE
  return { ...caller, credentials, parameters }
}

/**
 * Like `authenticate`, for a call that only a Page may make.
 *
 * @throws StandInRefusal
 */
export function authenticatePage(request: FastifyRequest, deps: StandInDeps): Call {
  const call = authenticate(request, deps)
  if (call.kind === 'accessToken') return call
  throw graphRefusal({ code: 190, subcode: 2069032, message: 'User Access Token Is Not Supported' })
}

/**
 * Like `authenticatePage`, for a path that names the Page.
 *
 * @throws StandInRefusal
 */
export function authenticateOwner(request: FastifyRequest<ById>, deps: StandInDeps): Call {
  const call = authenticatePage(request, deps)
  if (request.params.id === call.account.externalId) return call
  throw unknownObject(request.params.id)
}

/** @throws StandInRefusal */
export function callerOf(token: string, deps: StandInDeps): Omit<Caller, 'credentials'> {
  const read = readToken('facebook', token, deps)
  if (!read) throw graphRefusal({ code: 190, message: `Malformed access token ${token}` })
  const kind = read.prefix === PREFIX.userToken ? 'userToken' : 'accessToken'
  // A Page's token does not expire.
  const hasEnded = kind === 'userToken' && isOver(read, deps)
  if (hasEnded || read.account.secrets[kind] !== token) throw graphRefusal(EXPIRED)
  return { account: read.account, kind }
}
