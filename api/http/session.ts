import type { UserRole } from '../../domain/workspace/role.ts'

/** A signed-in user. */
export interface Session {
  /** SHA-256 (hex) of the browser's token; the token itself is not stored. */
  readonly tokenHash: string
  /** ISO 8601 UTC. Extended by use. */
  readonly expiresAt: string
  readonly user: { readonly id: string; readonly name: string; readonly role: UserRole; readonly passwordId: string }
  readonly workspace: { readonly id: string; readonly name: string }
}
