import { ask, type Session } from './session-api.ts'

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

const resetLinkOf = (userId: string) => `/users/${encodeURIComponent(userId)}/reset-link`

export const securityApi = {
  sessions: () => ask<{ readonly sessions: readonly OwnSession[] }>('GET', '/sessions'),
  endSession: (id: string) => ask<undefined>('DELETE', `/sessions/${encodeURIComponent(id)}`),
  endOtherSessions: () => ask<undefined>('DELETE', '/sessions'),

  createResetLink: (userId: string) => ask<{ readonly link: string }>('POST', resetLinkOf(userId)),
  revokeResetLink: (userId: string) => ask<undefined>('DELETE', resetLinkOf(userId)),
  resetLink: (token: string) => ask<{ readonly user: { readonly name: string } }>('POST', '/reset-link', { token }),
  reset: (token: string, password: string) => ask<Session>('POST', '/reset', { token, password }),
}
