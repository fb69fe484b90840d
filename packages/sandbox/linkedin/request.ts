import type { FastifyRequest } from 'fastify'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { administers, isBehind, isMember } from './identity.ts'
import { refuse } from './refusal.ts'
import { mustHave } from './scopes.ts'
import { authenticate } from './tokens.ts'

/** The oldest active version, and the newest at the time of writing: the clock of a test may stand earlier. */
const [OLDEST, NEWEST] = ['202601', '202611']

/** Whether it is the version of a month, up to the current one. */
function isActive(version: string, now: number): boolean {
  const current = new Date(now).toISOString().slice(0, 7).replace('-', '')
  const newest = current > NEWEST ? current : NEWEST
  return /^\d{4}(?:0[1-9]|1[0-2])$/.test(version) && version >= OLDEST && version <= newest
}

/**
 * Checks the headers of a `/rest` call and returns the caller.
 *
 * @throws StandInRefusal 426, 400 or 401
 */
export function callerOf({ headers }: FastifyRequest, deps: StandInDeps): LedgerAccount {
  const version = headers['linkedin-version']
  if (version === undefined) throw refuse(400, 'VERSION_MISSING', 'A version must be present. Please specify a version')
  if (!isActive(String(version), deps.clock.now())) {
    throw refuse(426, 'NONEXISTENT_VERSION', `Requested version ${String(version)}01 is not active`)
  }
  if (headers['x-restli-protocol-version'] !== '2.0.0') {
    throw refuse(400, 'ILLEGAL_ARGUMENT', 'X-RestLi-Protocol-Version must be 2.0.0')
  }
  return authenticate(headers.authorization, deps)
}

/**
 * Nobody may read a member's posts and media, not even the member.
 *
 * @throws StandInRefusal 403
 */
export function mayRead(caller: LedgerAccount, resource: string): void {
  mustHave(caller, ['r_organization_social'], `${resource}.20260901`)
}

/** @throws StandInRefusal 403 for a member's posts */
export function mustBePages(author: string, resource: string): void {
  if (!isMember(author)) return
  throw refuse(403, 'ACCESS_DENIED', `Not enough permissions to access: ${resource}.20260901`)
}

/** @throws StandInRefusal 403 when the caller may not act for the named author */
export function mustBe(caller: LedgerAccount, author: string, field: string, deps: StandInDeps): void {
  if (author === caller.externalId || isBehind(caller, author) || administers(caller, author, deps)) return
  throw refuse(403, 'ACCESS_DENIED', `Not enough permissions to access: Field Value validation failed: ${field}`)
}

/** @throws StandInRefusal 403 when the caller may not post as the named author */
export function mayPost(caller: LedgerAccount, author: string, field: string, deps: StandInDeps): void {
  mustBe(caller, author, field, deps)
  mustHave(caller, [isMember(author) ? 'w_member_social' : 'w_organization_social'], `${field} of ${author}`)
}

/** @throws StandInRefusal 400 when a URN in the path or query, or its brackets in the path, are not percent-encoded */
export function mustBeEncoded({ raw }: FastifyRequest): void {
  const { url = '' } = raw
  if (!url.includes('urn:li:') && !url.split('?')[0]?.includes('(')) return
  throw refuse(400, 'ILLEGAL_ARGUMENT', 'Syntax exception in path variables')
}
