import type { FastifyRequest } from 'fastify'
import type { LedgerAccount } from '../ledger.ts'
import { bearerIn, newToken, readToken } from '../oauth/token.ts'
import type { StandInDeps } from '../stand-in.ts'
import { invalidToken, refusal } from './refusal.ts'

/** Those that apps of posting tools ask for. */
export const SCOPES = [
  'read',
  'read:accounts',
  'read:notifications',
  'read:statuses',
  'write',
  'write:media',
  'write:statuses',
] as const
export type Scope = (typeof SCOPES)[number]

/** Tokens do not expire. */
export function issueToken(externalId: string, deps: StandInDeps): string {
  return newToken('mastodon', externalId, 0, deps)
}

/** The account of a valid token. */
export function ownerOf(token: string, deps: StandInDeps): LedgerAccount | undefined {
  const account = readToken('mastodon', token, deps)?.account
  return token !== '' && account?.secrets['accessToken'] === token ? account : undefined
}

/** The scopes of an account: all, unless its owner consented to fewer. */
export function scopesOf({ secrets }: Pick<LedgerAccount, 'secrets'>): readonly string[] {
  return secrets['scope']?.split(' ') ?? SCOPES
}

/** @throws StandInRefusal 401, or 403 when the access lacks the scope and the one that contains it */
export function authenticate({ headers }: FastifyRequest, scope: Scope, deps: StandInDeps): LedgerAccount {
  const account = ownerOf(bearerIn(headers.authorization) ?? '', deps)
  if (!account) throw invalidToken()
  const [whole = ''] = scope.split(':')
  const scopes = scopesOf(account)
  if (!scopes.includes(scope) && !scopes.includes(whole))
    throw refusal(403, 'This action is outside the authorized scopes')
  return account
}
