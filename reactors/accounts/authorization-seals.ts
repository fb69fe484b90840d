import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export type SealPurpose = 'ticket' | 'state' | 'browser' | 'choice'

/** Signed tokens for one authorization: only this installation can issue them, each for one purpose. */
export interface AuthorizationSeals {
  seal(purpose: SealPurpose, id: string): string
  /** The id, if this installation issued the token for this purpose. */
  open(purpose: SealPurpose, sealed: string): string | undefined
  /** The RFC 7636 proof key. It derives from the id, so it need not be stored. */
  proofKey(id: string): { readonly verifier: string; readonly challenge: string }
}

const MAC_LENGTH = 43

export function authorizationSeals(secret: Buffer): AuthorizationSeals {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'account authorization', 32))
  const mac = (purpose: SealPurpose | 'proof-key', id: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, id]))
      .digest('base64url')
  return {
    seal: (purpose, id) => `${id}.${mac(purpose, id)}`,
    open: (purpose, sealed) => {
      const id = sealed.slice(0, -MAC_LENGTH - 1)
      const expected = Buffer.from(`${id}.${mac(purpose, id)}`)
      const given = Buffer.from(sealed)
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined
    },
    proofKey: (id) => {
      const verifier = mac('proof-key', id)
      return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
    },
  }
}
