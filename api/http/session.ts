/** Somebody who is signed in. */
export interface Session {
  /** SHA-256 (hex) of the token that the browser has: the token itself is kept nowhere. */
  readonly tokenHash: string
  /** ISO 8601 UTC. Put off by use. */
  readonly expiresAt: string
  readonly user: { readonly id: string; readonly name: string; readonly passwordId: string }
  readonly workspace: { readonly id: string; readonly name: string }
}
