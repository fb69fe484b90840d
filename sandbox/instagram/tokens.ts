import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { GraphRefusal } from './refusal.ts'

/** Milliseconds. A user token may be renewed from its second day on. */
export const TOKEN_LIFETIME_MS = 60 * 86_400_000
export const RENEWABLE_AFTER_MS = 86_400_000

/** Of the app that all tokens here are for. */
export const APP_SECRET = 'the-secret-of-the-sandbox-app'

/** An Instagram user token, or the token of the linked Page; the names of the secrets that hold them. */
type TokenKind = 'accessToken' | 'pageAccessToken'

export interface Caller {
  readonly account: LedgerAccount
  readonly kind: TokenKind
  readonly issuedAt: number
}

export function issueTokens(externalId: string, deps: StandInDeps): Readonly<Record<TokenKind, string>> {
  return { accessToken: token('IGAA', externalId, deps), pageAccessToken: token('EAA', externalId, deps) }
}

/** A token names its account and its time, so that one look-up finds what it is to be compared with. */
function token(prefix: string, externalId: string, { ids, clock }: StandInDeps): string {
  return [prefix, Buffer.from(externalId).toString('base64url'), clock.now(), ids.token()].join('.')
}

/** Gives the account a new user token; the one before it is void from here on. */
export function renew({ account }: Caller, deps: StandInDeps): string {
  const { accessToken } = issueTokens(account.externalId, deps)
  deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken } })
  return accessToken
}

/** Makes the token that was shown void. */
export function revoke({ account, kind }: Caller, { ledger }: StandInDeps): void {
  ledger.saveAccount({ ...account, secrets: { ...account.secrets, [kind]: '' } })
}

const params = z.object({ access_token: z.string().optional(), appsecret_proof: z.string().optional() }).catch({})

/** By the token in the header or among the parameters. @throws GraphRefusal */
export function authenticate(request: FastifyRequest, deps: StandInDeps): Caller {
  const given = { ...params.parse(request.query), ...params.parse(request.body) }
  const shown = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? given.access_token
  if (shown === undefined) {
    const message = 'An active access token must be used to query information about the current user.'
    throw new GraphRefusal({ code: 2500, message })
  }
  const [prefix, owner = '', issuedAt] = shown.split('.')
  const kind = prefix === 'EAA' ? 'pageAccessToken' : 'accessToken'
  const account = deps.ledger.account('instagram', Buffer.from(owner, 'base64url').toString())
  if (!account || Number.isNaN(Number(issuedAt))) {
    throw new GraphRefusal({ code: 190, message: `Malformed access token ${shown}` })
  }
  const isOver = kind === 'accessToken' && Number(issuedAt) + TOKEN_LIFETIME_MS <= deps.clock.now()
  if (isOver || account.secrets[kind] !== shown) throw new GraphRefusal(EXPIRED)
  mustBeProof(given.appsecret_proof, shown)
  return { account, kind, issuedAt: Number(issuedAt) }
}

export const EXPIRED = {
  code: 190,
  subcode: 463,
  message: 'Error validating access token: Session has expired',
} as const

function mustBeProof(given: string | undefined, shown: string): void {
  if (given === undefined || given === createHmac('sha256', APP_SECRET).update(shown).digest('hex')) return
  throw new GraphRefusal({ code: 100, message: 'Invalid appsecret_proof provided in the API argument' })
}
