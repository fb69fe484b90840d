import { createHmac } from 'node:crypto'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { handleOf } from './identity.ts'
import { xrpcRefusal } from './refusal.ts'

const LIFETIME_S = { access: 7_200, refresh: 7_776_000 } as const
const SCOPE = { access: 'com.atproto.appPass', refresh: 'com.atproto.refresh' } as const
/** How long a used refresh token remains valid, in case its answer was lost. */
const GRACE_MS = 7_200_000

type TokenKind = keyof typeof SCOPE

const claimsSchema = z.object({ scope: z.string(), sub: z.string(), exp: z.number() })

export interface Authenticated {
  readonly account: LedgerAccount
  readonly token: string
}

export interface Sessions {
  /** A new pair of tokens, as createSession and refreshSession return it. */
  open(account: LedgerAccount): object
  /** @throws StandInRefusal 401 without a token, 400 for an invalid or expired one */
  authenticate(authorization: string | undefined, kind: TokenKind): Authenticated
  /** Invalidates the token immediately. */
  revoke(token: string): void
  /** Invalidates the token after its grace period. */
  supersede(token: string): void
}

/** Tokens are signed with the account's app password, so they survive a restart; revocations do not. */
export function sessions({ ledger, clock, ids }: StandInDeps): Sessions {
  const voidFrom = new Map<string, number>()
  const voidAt = (token: string, at: number): void => {
    voidFrom.set(token, Math.min(at, voidFrom.get(token) ?? Infinity))
  }

  const issue = (kind: TokenKind, account: LedgerAccount): string => {
    const iat = Math.floor(clock.now() / 1_000)
    const claims = { scope: SCOPE[kind], sub: account.externalId, jti: ids.token(), iat, exp: iat + LIFETIME_S[kind] }
    const signed = `${encoded({ typ: kind === 'access' ? 'at+jwt' : 'refresh+jwt', alg: 'HS256' })}.${encoded(claims)}`
    return `${signed}.${signature(signed, account)}`
  }

  return {
    open: (account) => ({
      did: account.externalId,
      handle: handleOf(account),
      active: true,
      accessJwt: issue('access', account),
      refreshJwt: issue('refresh', account),
    }),
    authenticate: (authorization, kind) => {
      const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1]
      if (token === undefined) throw xrpcRefusal(401, 'AuthMissing', 'Authentication Required')
      const claims = claimsOf(token)
      const account = claims && ledger.account('bluesky', claims.sub)
      const [signed, given] = splitLast(token)
      if (!account || signature(signed, account) !== given) {
        throw xrpcRefusal(400, 'InvalidToken', 'Token could not be verified')
      }
      if (claims.scope !== SCOPE[kind]) throw xrpcRefusal(400, 'InvalidToken', 'Invalid token type')
      if (claims.exp * 1_000 <= clock.now()) throw xrpcRefusal(400, 'ExpiredToken', 'Token has expired')
      if ((voidFrom.get(token) ?? Infinity) <= clock.now()) {
        throw xrpcRefusal(400, 'ExpiredToken', 'Token has been revoked')
      }
      return { account, token }
    },
    revoke: (token) => voidAt(token, clock.now()),
    supersede: (token) => voidAt(token, clock.now() + GRACE_MS),
  }
}

function claimsOf(token: string): z.infer<typeof claimsSchema> | undefined {
  try {
    return claimsSchema.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')))
  } catch {
    return undefined
  }
}

function splitLast(token: string): [signed: string, signature: string] {
  const dot = token.lastIndexOf('.')
  return [token.slice(0, dot), token.slice(dot + 1)]
}

function signature(signed: string, { secrets }: LedgerAccount): string {
  return createHmac('sha256', secrets['appPassword'] ?? '')
    .update(signed)
    .digest('base64url')
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
