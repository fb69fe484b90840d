import { ask, type CodeRequired, type Session } from './session-api.ts'

/* How a user signs in, and where. */

export interface OwnSession {
  readonly id: string
  /** Its name and system, if known. */
  readonly browser: string | null
  readonly createdAt: string
  /** To the hour; null where an earlier version began the session. */
  readonly usedAt: string | null
  readonly expiresAt: string
  readonly current: boolean
}

export interface TotpSecret {
  /** In base32. */
  readonly secret: string
  /** What an authenticator app opens. */
  readonly uri: string
}

export interface Identity {
  /** What single sign-on is called here; null unless it is set up. */
  readonly provider: string | null
  /** Of the linked identity. */
  readonly issuer: string | null
  readonly hasPassword: boolean
}

const resetLinkOf = (userId: string) => `/users/${encodeURIComponent(userId)}/reset-link`

export const securityApi = {
  sessions: () => ask<{ readonly sessions: readonly OwnSession[] }>('GET', '/sessions'),
  endSession: (id: string) => ask<undefined>('DELETE', `/sessions/${encodeURIComponent(id)}`),
  endOtherSessions: () => ask<undefined>('DELETE', '/sessions'),

  totp: () => ask<{ readonly enabled: boolean; readonly recoveryCodesLeft: number | null }>('GET', '/totp'),
  createTotpSecret: () => ask<TotpSecret>('POST', '/totp/secret'),
  enableTotp: (body: { readonly password: string; readonly secret: string; readonly code: string }) =>
    ask<{ readonly recoveryCodes: readonly string[] }>('POST', '/totp', body),
  disableTotp: (body: { readonly password: string; readonly code: string }) =>
    ask<undefined>('POST', '/totp/disable', body),
  disableTotpOf: (userId: string) => ask<undefined>('DELETE', `/users/${encodeURIComponent(userId)}/totp`),

  identity: () => ask<Identity>('GET', '/identity'),
  /** Answers where the browser goes next. */
  linkIdentity: (body: { readonly password: string; readonly code?: string }) =>
    ask<{ readonly url: string }>('POST', '/identity', body),
  unlinkIdentity: () => ask<undefined>('DELETE', '/identity'),

  createResetLink: (userId: string) => ask<{ readonly link: string }>('POST', resetLinkOf(userId)),
  revokeResetLink: (userId: string) => ask<undefined>('DELETE', resetLinkOf(userId)),
  resetLink: (token: string) => ask<{ readonly user: { readonly name: string } }>('POST', '/reset-link', { token }),
  reset: (token: string, password: string) => ask<Session | CodeRequired>('POST', '/reset', { token, password }),
}
