import type { PlatformKey } from '../../../domain/core/platform.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Grant } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { bearerIn, newToken, readToken } from './token.ts'

type Secrets = LedgerAccount['secrets']
type Kind = 'access' | 'refresh'

export interface RotatingTokens {
  readonly platform: PlatformKey
  /** How the tokens begin. */
  readonly prefix: Readonly<Record<Kind, string>>
  readonly separator: '.' | '_'
  readonly lifetimeS: Readonly<Record<Kind, number>>
  readonly scopeSeparator: ' ' | ','
  /** Whether the account's credentials also have the refresh token's expiry. */
  readonly storesRefreshExpiry: boolean
}

/**
 * Pairs of tokens of which every refresh replaces both. A replaced refresh token stays valid until the new pair is used, because
 * the answer with the new pair may be lost.
 */
export function rotatingTokens(rules: RotatingTokens) {
  const { platform, prefix, separator, lifetimeS, scopeSeparator } = rules
  const issue = (externalId: string, deps: StandInDeps) => {
    const endOf = (kind: Kind): number => deps.clock.now() + lifetimeS[kind] * 1_000
    const token = (kind: Kind): string => newToken(prefix[kind], externalId, endOf(kind), deps, separator)
    return {
      accessToken: token('access'),
      refreshToken: token('refresh'),
      expiresAt: isoTime(endOf('access')),
      ...(rules.storesRefreshExpiry && { refreshExpiresAt: isoTime(endOf('refresh')) }),
    }
  }
  const save = (account: LedgerAccount, secrets: Secrets, { ledger }: StandInDeps): LedgerAccount => {
    ledger.saveAccount({ ...account, secrets })
    return { ...account, secrets }
  }
  const ownerOf = (given: string, deps: StandInDeps): LedgerAccount | undefined => {
    const read = readToken(platform, given, deps, separator)
    return read && read.endsAt > deps.clock.now() ? read.account : undefined
  }
  return {
    issue,
    /** The account of a valid access token. */
    bearerOf: (authorization: string | undefined, deps: StandInDeps): LedgerAccount | undefined => {
      const given = bearerIn(authorization) ?? ''
      const account = ownerOf(given, deps)
      if (account?.secrets['accessToken'] !== given) return undefined
      if (account.secrets['previousRefreshToken'] === undefined) return account
      return save(account, withoutPrevious(account).secrets, deps)
    },
    /** The account of a valid refresh token. */
    refreshOwner: (given: string, deps: StandInDeps): LedgerAccount | undefined => {
      const account = ownerOf(given, deps)
      const { refreshToken, previousRefreshToken } = account?.secrets ?? {}
      return given === refreshToken || given === previousRefreshToken ? account : undefined
    },
    /** Exchanges one of the account's refresh tokens for a new pair. */
    rotate: (account: LedgerAccount, used: string, deps: StandInDeps): LedgerAccount =>
      save(account, { ...account.secrets, ...issue(account.externalId, deps), previousRefreshToken: used }, deps),
    /** Gives the account a pair for the app that its owner consented to. */
    grant: ({ account, app: { clientId, clientSecret }, scopes }: Grant, deps: StandInDeps): LedgerAccount => {
      const granted = { clientId, clientSecret, scope: scopes.join(scopeSeparator) }
      return save(account, { ...account.secrets, ...issue(account.externalId, deps), ...granted }, deps)
    },
    /** Revokes the account's access token, so that the caller must refresh. */
    revokeAccess: ({ externalId }: LedgerAccount, deps: StandInDeps): void => {
      const account = deps.ledger.account(platform, externalId)
      if (account) save(account, { ...account.secrets, accessToken: 'revoked' }, deps)
    },
  }
}

/** The account without the refresh token that was replaced last. */
export function withoutPrevious(account: LedgerAccount): LedgerAccount {
  const { previousRefreshToken: _, ...secrets } = account.secrets
  return { ...account, secrets }
}
