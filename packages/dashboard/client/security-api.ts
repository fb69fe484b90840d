import { ask } from './session-api.ts'

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

export const securityApi = {
  sessions: () => ask<{ readonly sessions: readonly OwnSession[] }>('GET', '/sessions'),
  endSession: (id: string) => ask<undefined>('DELETE', `/sessions/${encodeURIComponent(id)}`),
  endOtherSessions: () => ask<undefined>('DELETE', '/sessions'),
}
