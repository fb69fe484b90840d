import type { FastifyRequest } from 'fastify'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount } from '../ledger.ts'
import { graphRefusal } from '../meta/refusal.ts'
import { asked } from '../meta/request.ts'
import { isOffLimits } from '../meta/roles.ts'
import { isOver, newToken, readToken, EXPIRED as EXPIRED_AT_META, TOKEN_LIFETIME_MS } from '../meta/token.ts'
import type { StandInDeps } from '../stand-in.ts'

export const NOT_PERMITTED = graphRefusal({
  code: 10,
  message: 'Application does not have permission for this action',
})

export interface Caller {
  readonly account: LedgerAccount
  readonly token: string
  readonly issuedAt: number
  /** Of the query and the form, without the token. */
  readonly parameters: Readonly<Record<string, string>>
}

/** A route below one of the account's own ids, or `me`. */
export interface ByUser {
  Params: { user: string }
}

export function issueTokens(externalId: string, deps: StandInDeps): { accessToken: string; expiresAt: string } {
  const expiresAt = isoTime(deps.clock.now() + TOKEN_LIFETIME_MS)
  return { accessToken: newToken('TH', externalId, deps), expiresAt }
}

/** @throws StandInRefusal */
export function authenticate(request: FastifyRequest, deps: StandInDeps): Caller {
  const { token = '', parameters } = asked(request)
  const read = readToken('threads', token, deps)
  const { accessToken, previousAccessToken } = read?.account.secrets ?? {}
  if (!read || (token !== accessToken && token !== previousAccessToken)) {
    const message = 'Error validating access token: The session has been invalidated'
    throw graphRefusal({ code: 190, subcode: 460, message, status: 401 })
  }
  if (isOver(read, deps)) throw graphRefusal(EXPIRED)
  if (isOffLimits(read.account, 'threads', deps)) throw NOT_PERMITTED
  return { account: read.account, token, issuedAt: read.issuedAt, parameters }
}

/**
 * Like `authenticate`, for a path that names the account.
 *
 * @throws StandInRefusal
 */
export function authenticateOwner(request: FastifyRequest<ByUser>, deps: StandInDeps): Caller {
  const caller = authenticate(request, deps)
  const { user } = request.params
  if (user === 'me' || user === caller.account.externalId) return caller
  throw NOT_PERMITTED
}

/** @throws StandInRefusal if the person was asked for permissions, and did not grant this one */
export function mustHave(permission: string, { secrets }: LedgerAccount): void {
  const { grantedScopes } = secrets
  if (grantedScopes?.split(',').includes(permission) === false) throw NOT_PERMITTED
}

/** Replaces the token with the one that a new login would yield; only the control endpoint returns that. */
export function revoke({ account: { externalId } }: Pick<Caller, 'account'>, deps: StandInDeps): void {
  const account = deps.ledger.account('threads', externalId)
  if (account) deps.ledger.saveAccount({ ...account, secrets: issueTokens(externalId, deps) })
}

/** Gives the account a new token. The one used for the renewal stays valid until it expires. */
export function renew({ account, token: previousAccessToken }: Caller, deps: StandInDeps): string {
  const fresh = issueTokens(account.externalId, deps)
  deps.ledger.saveAccount({ ...account, secrets: { ...fresh, previousAccessToken } })
  return fresh.accessToken
}

export const EXPIRED = { ...EXPIRED_AT_META, status: 401 } as const
