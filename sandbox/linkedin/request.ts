import type { FastifyRequest } from 'fastify'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { isMember } from './identity.ts'
import { refuse } from './refusal.ts'
import { authenticate } from './tokens.ts'

/** The months of the API that are alive here; the real ones move on with the calendar. */
const VERSIONS: ReadonlySet<string> = new Set([
  '202601',
  '202602',
  '202603',
  '202604',
  '202605',
  '202606',
  '202607',
  '202608',
  '202609',
])

/**
 * Who makes a call of `/rest`, its headers checked.
 *
 * @throws LinkedInRefusal 426, 400 or 401
 */
export function callerOf({ headers }: FastifyRequest, deps: StandInDeps): LedgerAccount {
  const version = headers['linkedin-version']
  if (version === undefined) throw refuse(400, 'VERSION_MISSING', 'A version must be present. Please specify a version')
  if (!VERSIONS.has(String(version))) {
    throw refuse(426, 'NONEXISTENT_VERSION', `Requested version ${String(version)} is not active`)
  }
  if (headers['x-restli-protocol-version'] !== '2.0.0') {
    throw refuse(400, 'ILLEGAL_ARGUMENT', 'X-RestLi-Protocol-Version must be 2.0.0')
  }
  return authenticate(headers.authorization, deps)
}

/** @throws LinkedInRefusal 403 for a member's token, which may only post */
export function mayRead({ externalId }: LedgerAccount, resource: string): void {
  if (!isMember(externalId)) return
  throw refuse(403, 'ACCESS_DENIED', `Not enough permissions to access: ${resource}.20260901`)
}

/** @throws LinkedInRefusal 403 when the caller may not act for the author that it names */
export function mustBe({ externalId }: LedgerAccount, author: string, field: string): void {
  if (author === externalId) return
  throw refuse(403, 'ACCESS_DENIED', `Not enough permissions to access: Field Value validation failed: ${field}`)
}

/** @throws LinkedInRefusal 400 when a URN in the path or query is not percent-encoded */
export function mustBeEncoded({ raw }: FastifyRequest): void {
  if (!raw.url?.includes('urn:li:')) return
  throw refuse(400, 'ILLEGAL_ARGUMENT', 'Syntax exception in path variables')
}
