import { createHmac } from 'node:crypto'
import type { LedgerAccount } from '../ledger.ts'
import type { RemovalCall, StandInDeps } from '../stand-in.ts'

/** The callback for a person, by their app-scoped id: a form with `signed_request`, signed with the secret of the account's app. */
export function signedRequestCall(userId: string, { secrets }: LedgerAccount, { clock }: StandInDeps): RemovalCall {
  const issued_at = Math.floor(clock.now() / 1_000)
  const payload = { user_id: userId, algorithm: 'HMAC-SHA256', issued_at, expires: issued_at + 3_600 }
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
  const signature = createHmac('sha256', secrets['clientSecret'] ?? '')
    .update(encoded)
    .digest('base64url')
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ signed_request: `${signature}.${encoded}` }).toString(),
  }
}

/** The app's tokens of the account are no longer valid. */
export function withoutTokens(account: LedgerAccount, { ledger }: StandInDeps): void {
  const dead = Object.keys(account.secrets).filter((name) => /token$/i.test(name))
  const secrets = { ...account.secrets, ...Object.fromEntries(dead.map((name) => [name, ''])) }
  ledger.saveAccount({ ...account, secrets })
}
