import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RemovalKind, SignedCall } from '../../domain/account/account-removals.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { PlatformAccount, PlatformIo } from './platform.ts'

/** A person who has ended the access of the app. */
export interface RemovedOwner {
  /** The platform's id of the person, as `connect` returns it, or of the account. */
  readonly ownerId: string
  /** When that happened, ms since the epoch, if the platform says so. */
  readonly at?: number | undefined
}

/** How a platform reports that a person has removed the app. */
export interface Removals {
  /** What it reports, each to a URL of its own. */
  readonly kinds: readonly RemovalKind[]
  /**
   * Checks that the call is signed with the app's secret, and reads it.
   *
   * @returns undefined for a call about something else
   * @throws Refusal invalid_request
   */
  read(call: SignedCall, app: { readonly clientId: string; readonly clientSecret: string }): RemovedOwner | undefined
  /**
   * Looks up who granted the access to an account, for one that was connected without being asked. Absent where that is the
   * account itself.
   *
   * @returns undefined when the stored credentials do not tell
   * @throws PlatformError
   */
  ownerId?(account: PlatformAccount, io: PlatformIo): Promise<string | undefined>
}

/** Compares an HMAC-SHA256 in constant time. */
export function isSignedWith(secret: string, message: string | Buffer, signature: Buffer): boolean {
  const expected = createHmac('sha256', secret).update(message).digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

/** One message for whatever is wrong with a signature, so that trying reveals nothing. */
export function notSigned(what: string): Refusal {
  return new Refusal('invalid_request', `${what} is not signed with the secret of this app.`)
}
