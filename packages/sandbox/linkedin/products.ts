import { SandboxRefusal } from '../refusal.ts'
import type { LedgerApp } from '../ledger.ts'

/** Allowed only as the single product of an app, and only after a review. */
const COMMUNITY_MANAGEMENT = 'Community Management API'

/** The scopes of each product of an app. */
const PRODUCTS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    COMMUNITY_MANAGEMENT,
    [
      'r_basicprofile',
      'w_member_social',
      'w_organization_social',
      'r_organization_social',
      'rw_organization_admin',
      'r_organization_social_feed',
      'w_organization_social_feed',
    ],
  ],
  ['Share on LinkedIn', ['w_member_social']],
  ['Sign In with LinkedIn using OpenID Connect', ['openid', 'profile', 'email']],
])

/** All scopes. */
export const SCOPES: readonly string[] = [...new Set([...PRODUCTS.values()].flat())]

/** What an app with these products may ask for. @throws SandboxRefusal for products that no app can have */
export function scopesOfProducts(products: readonly string[] = [COMMUNITY_MANAGEMENT]): readonly string[] {
  const unknown = products.find((product) => !PRODUCTS.has(product))
  if (unknown !== undefined) {
    const known = [...PRODUCTS.keys()].join(', ')
    throw new SandboxRefusal(400, 'invalid_request', `products: ${unknown} is not one of ${known}`)
  }
  if (products.includes(COMMUNITY_MANAGEMENT) && products.length > 1) {
    const why = `${COMMUNITY_MANAGEMENT} can only be the single product of an app`
    throw new SandboxRefusal(400, 'invalid_request', `products: ${why}`)
  }
  return products.flatMap((product) => PRODUCTS.get(product) ?? [])
}

/** LinkedIn gives refresh tokens to approved apps only, never to self-serve ones. */
export function getsRefreshTokens({ scopes }: LedgerApp): boolean {
  return scopes?.includes('rw_organization_admin') ?? true
}

/** The parameters that the browser returns with: LinkedIn escapes the quotes for HTML. */
export function unauthorizedScope(scope: string): Readonly<Record<string, string>> {
  return {
    error: 'unauthorized_scope_error',
    error_description: `Scope &quot;${scope}&quot; is not authorized for your application`,
  }
}
